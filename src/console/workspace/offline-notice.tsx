import { useIsConnected } from './connection.ts'
import styles from './workspace.module.css'

export function OfflineNotice() {
  const isConnected = useIsConnected()
  return (
    <div role="status">
      {!isConnected && <div className={styles.offline}>The connection is lost. Trying again …</div>}
    </div>
  )
}
