import { setTimeout as sleep } from 'node:timers/promises'

/** Something that can be killed and started again. */
export type Target = { name: string; kill: () => Promise<void>; start: () => Promise<void> }

const retryMs = 100
const attempts = 300

/** Tries until a start succeeds. A process cannot start while the database is down. */
export async function untilStarted<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start()
    } catch (error) {
      if (attempt === attempts) throw error
      await sleep(retryMs)
    }
  }
}
