import { useIsConnected } from '../../session/connection.ts'
import styles from './offline-notice.module.css'

export function OfflineNotice() {
  const isConnected = useIsConnected()
  return (
    <div role="status">
      {!isConnected && <div className={styles.offline}>Connection lost. Reconnecting…</div>}
    </div>
  )
}
