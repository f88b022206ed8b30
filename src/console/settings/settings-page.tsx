import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import styles from './settings.module.css'
import { SettingsMenu } from './settings-menu.tsx'
import { SettingsRoutes } from './settings-routes.tsx'

export default function SettingsPage() {
  return (
    <div className={styles.page}>
      <SettingsMenu />
      <div className={styles.content}>
        <ProblemBoundary>
          <LoadingBoundary>
            <SettingsRoutes />
          </LoadingBoundary>
        </ProblemBoundary>
      </div>
    </div>
  )
}
