import { FairQueue } from './fair-queue.ts'
import { boundsOf } from './until.ts'

/** To complete a node of a list takes about as long as to render so many characters. */
export const charactersOfNode = 30
/** To render or to search so many takes some ten milliseconds at most. */
const charactersInTurn = 20_000
/** After a turn of so many milliseconds others are answered for twice as long: a request takes several turns. */
const restFromMs = 3
const restEach = 2
const maxRestMs = 50

type Waiting = { characters: number; run: () => void }

const waiting = new FairQueue<Waiting>()
let left = charactersInTurn
let isDue = false

/**
 * Does work on a text of so many characters, in which the process answers nobody: at once if little such work was done in
 * this turn of the event loop, else in a later one. The turns are shared fairly between the callers (`databaseUntil`). If
 * the caller's signal has aborted by then, the work is not done, and the signal's reason is thrown.
 */
export function inTurns<T>(db: object, characters: number, work: () => T): T | Promise<T> {
  schedule()
  if (waiting.size() === 0 && characters <= left) {
    left -= characters
    return work()
  }
  const { signal, caller = '' } = boundsOf(db)
  return new Promise((resolve, reject) => {
    const run = () => {
      if (signal?.aborted) return reject(signal.reason)
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    }
    waiting.push(caller, { characters, run }, characters)
  })
}

function schedule(): void {
  if (isDue) return
  isDue = true
  setImmediate(takeTurn)
}

/** Does what fits into a turn, and one at least. After a long turn the others have as much time, and more. */
function takeTurn(): void {
  isDue = false
  left = charactersInTurn
  const began = performance.now()
  for (let next = waiting.shift(); next; next = left > 0 ? waiting.shift() : undefined) {
    left -= next.characters
    next.run()
  }
  if (waiting.size() === 0) return
  const tookMs = performance.now() - began
  isDue = true
  if (tookMs < restFromMs) setImmediate(takeTurn)
  else setTimeout(takeTurn, Math.min(restEach * tookMs, maxRestMs))
}
