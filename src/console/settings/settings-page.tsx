import { Suspense } from 'react'
import { Loading } from '../page/loading.tsx'
import { ProblemBoundary } from '../page/problem-boundary.tsx'
import styles from './settings.module.css'
import { SettingsMenu } from './settings-menu.tsx'
import { SettingsRoutes } from './settings-routes.tsx'

export default function SettingsPage() {
  return (
    <div className={styles.page}>
      <SettingsMenu />
      <div className={styles.content}>
        <ProblemBoundary>
          <Suspense fallback={<Loading />}>
            <SettingsRoutes />
          </Suspense>
        </ProblemBoundary>
      </div>
    </div>
  )
}
