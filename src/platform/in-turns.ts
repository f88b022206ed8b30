import { boundsOf } from './until.ts'

/** To render or to search so many takes some ten milliseconds at most. */
const charactersInTurn = 20_000

type Waiting = { characters: number; run: () => void }

const waiting: Waiting[] = []
let left = charactersInTurn
let isDue = false

/**
 * Does work on a text of so many characters, in which the process answers nobody: at once where little such work was
 * done in this turn of the event loop, else in a later one, in the order in which it was asked for. When the signal of
 * the caller's database (`databaseUntil`) has aborted by then it is not done, and the signal's reason is thrown.
 */
export function inTurns<T>(db: object, characters: number, work: () => T): T | Promise<T> {
  schedule()
  if (waiting.length === 0 && characters <= left) {
    left -= characters
    return work()
  }
  const { signal } = boundsOf(db)
  return new Promise((resolve, reject) => {
    const run = () => {
      if (signal?.aborted) return reject(signal.reason)
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    }
    waiting.push({ characters, run })
  })
}

function schedule(): void {
  if (isDue) return
  isDue = true
  setImmediate(takeTurn)
}

/** Does what fits into a turn, and one at least. */
function takeTurn(): void {
  isDue = false
  left = charactersInTurn
  for (let next = waiting.shift(); next; next = left > 0 ? waiting.shift() : undefined) {
    left -= next.characters
    next.run()
  }
  if (waiting.length > 0) schedule()
}
