import { Link, useLocation, useParams } from 'react-router'
import styles from './settings.module.css'

const noPages: string[] = []
const pages = [
  { path: 'profile', label: 'Profile', contains: noPages },
  { path: 'workspace', label: 'Workspace', contains: noPages },
  { path: 'people', label: 'People', contains: noPages },
  { path: 'apps', label: 'Apps', contains: ['webhooks', 'endpoints'] },
]

/** The menu of the settings pages: a column, or a row of tabs on a phone. */
export function SettingsMenu() {
  const { workspaceID } = useParams()
  const current = useLocation().pathname.split('/')[3] ?? ''
  return (
    <nav className={styles.menu} aria-label="Settings">
      {pages.map(({ path, label, contains }) => (
        <Link
          key={path}
          className={styles.link}
          to={`/${workspaceID}/settings/${path}`}
          aria-current={[path, ...contains].includes(current) ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
