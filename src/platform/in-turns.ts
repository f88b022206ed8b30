import { FairQueue } from './fair-queue.ts'
import { boundsOf } from './until.ts'

/** To complete a node of a list takes about as long as to render so many characters. */
export const charactersOfNode = 30
/** How many are rendered or searched in one turn: so many at first, and then as many as take about `turnMs`. */
const charactersInTurn = { least: 2000, most: 20_000 }
const turnMs = 5
/** After a turn of so many milliseconds others are answered for twice as long: a request takes several turns. */
const restFromMs = 8
const restEach = 2
const maxRestMs = 50
const maxRestForConnectionsMs = 100

type Waiting = { characters: number; run: () => void }

const waiting = new FairQueue<Waiting>()
let allowed = charactersInTurn.most
let left = allowed
let began = 0
let isDue = false
let hasAccepted = false
let acceptingSince: number | undefined

/**
 * Declares that a connection was accepted. Node accepts one in each turn of the event loop, so those that wait for it get in
 * soon only if the turns are short.
 */
export function noteConnection(): void {
  hasAccepted = true
}

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

function schedule(restMs = 0): void {
  if (isDue) return
  isDue = true
  if (restMs > 0) setTimeout(begin, restMs)
  else begin()
}

function begin(): void {
  setImmediate(takeTurn)
  // Runs in the same turn of the event loop, when all that waited for the work has gone on.
  setImmediate(endTurn)
}

/** Does what fits into a turn, and one at least. */
function takeTurn(): void {
  began = performance.now()
  left = allowed
  if (waiting.size() === 0 || mayAcceptMore(began)) return
  for (let next = waiting.shift(); next; next = left > 0 ? waiting.shift() : undefined) {
    left -= next.characters
    next.run()
  }
}

/** After a long turn the others have as much time, and more. */
function endTurn(): void {
  isDue = false
  const tookMs = performance.now() - began
  const characters = allowed - left
  if (characters > 0) {
    const { least, most } = charactersInTurn
    allowed = Math.min(Math.max((characters * turnMs) / tookMs, least), most)
  }
  if (waiting.size() > 0) schedule(tookMs < restFromMs ? 0 : Math.min(restEach * tookMs, maxRestMs))
}

/** Whether more connections may wait: for a while, as long as there was one in every turn of the event loop. */
function mayAcceptMore(now: number): boolean {
  const since = acceptingSince ?? now
  const isAccepting = hasAccepted && now - since < maxRestForConnectionsMs
  hasAccepted = false
  acceptingSince = isAccepting ? since : undefined
  return isAccepting
}
