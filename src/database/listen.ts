import pg from 'pg'
import { connectionOptions } from './database.ts'

const reconnectAfterMs = 1000

/**
 * Calls `onNotify` for each notification of a channel. Uses a connection of its own, and connects again when it is lost.
 * Notifications can be lost, and the caller must not depend on them. Returns a function that ends the connection.
 */
export function listen(url: string, channel: string, onNotify: () => void): () => Promise<void> {
  let isStopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const connectLater = () => {
    if (isStopped) return
    clearTimeout(timer)
    timer = setTimeout(connect, reconnectAfterMs).unref()
  }
  const connect = () => {
    const own = new pg.Client({ ...connectionOptions(url), keepAlive: true })
    client = own
    own.on('notification', onNotify)
    own.on('error', () => undefined)
    own.once('end', connectLater)
    own
      .connect()
      .then(() => own.query(`LISTEN ${channel}`))
      // Something may have changed before the connection was ready.
      .then(onNotify)
      .catch(() => {
        own.end().catch(() => undefined)
        connectLater()
      })
  }
  connect()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await client?.end().catch(() => undefined)
  }
}
