import { FairQueue } from './fair-queue.ts'
import { boundsOf } from './until.ts'

/** Completing one node of a list takes about as long as rendering this many characters. */
export const charactersOfNode = 30
/** Bounds for the characters of one turn, which adapt to take about `turnMs`. */
const charactersInTurn = { least: 2000, most: 20_000 }
const turnMs = 5
/** After a turn this long, others get `restEach` times as long, because a request needs several turns. */
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

/** Notes an accepted connection. Node accepts one per turn, so while connections arrive, turns must be short. */
export function noteConnection(): void {
  hasAccepted = true
}

/**
 * Does work on this many characters, in a later turn of the event loop if this one is full. Callers share turns
 * fairly (`databaseUntil`). If the caller's signal aborts before, throws the signal's reason.
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
  // Runs in the same turn of the event loop, after the continuations of the work.
  setImmediate(endTurn)
}

function takeTurn(): void {
  began = performance.now()
  left = allowed
  if (waiting.size() === 0 || mayAcceptMore(began)) return
  for (let next = waiting.shift(); next; next = left > 0 ? waiting.shift() : undefined) {
    left -= next.characters
    next.run()
  }
}

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

// Another connection may wait if every turn accepted one. After `maxRestForConnectionsMs` work goes on anyway.
function mayAcceptMore(now: number): boolean {
  const since = acceptingSince ?? now
  const isAccepting = hasAccepted && now - since < maxRestForConnectionsMs
  hasAccepted = false
  acceptingSince = isAccepting ? since : undefined
  return isAccepting
}
