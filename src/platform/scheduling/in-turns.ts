import { bindingOf } from '../request-database.ts'
import { FairQueue } from './fair-queue.ts'

/** Completing one node of a list takes about as long as rendering this many characters. */
export const charactersPerNode = 30
// The limits of the number of characters in one turn. The number adapts, so that a turn takes about `turnMs`.
const turnLimits = { least: 2000, most: 20_000 }
const turnMs = 5
// Rests `restEach` times as long after a turn of at least `restFromMs`, because other requests need several turns.
const restFromMs = 8
const restEach = 2
const maxRestMs = 50
const maxRestForConnectionsMs = 100

type DeferredWork = { characters: number; run: () => void }

const waiting = new FairQueue<DeferredWork>()
let charactersPerTurn = turnLimits.most
let charactersLeft = charactersPerTurn
let turnBeganAt = 0
let isDue = false
let hasAccepted = false
let acceptingSince: number | undefined

/** Records an accepted connection. Node accepts one per turn: turns must be short while connections arrive. */
export function recordConnection(): void {
  hasAccepted = true
}

/** Runs work on this many characters, now or in a later turn of the event loop. Is fair to callers. */
export function inTurns<T>(db: object, characters: number, work: () => T): T | Promise<T> {
  schedule()
  if (waiting.size() === 0 && characters <= charactersLeft) {
    charactersLeft -= characters
    return work()
  }
  const { signal, caller = '' } = bindingOf(db)
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
  turnBeganAt = performance.now()
  charactersLeft = charactersPerTurn
  if (waiting.size() === 0 || mayAcceptMore(turnBeganAt)) return
  for (let next = waiting.shift(); next; next = charactersLeft > 0 ? waiting.shift() : undefined) {
    charactersLeft -= next.characters
    next.run()
  }
}

function endTurn(): void {
  isDue = false
  const tookMs = performance.now() - turnBeganAt
  const characters = charactersPerTurn - charactersLeft
  if (characters > 0) {
    const { least, most } = turnLimits
    charactersPerTurn = Math.min(Math.max((characters * turnMs) / tookMs, least), most)
  }
  if (waiting.size() > 0) schedule(tookMs < restFromMs ? 0 : Math.min(restEach * tookMs, maxRestMs))
}

// If a connection was accepted, another one may be waiting. Then turns do no work for up to `maxRestForConnectionsMs`.
function mayAcceptMore(now: number): boolean {
  const since = acceptingSince ?? now
  const isAccepting = hasAccepted && now - since < maxRestForConnectionsMs
  hasAccepted = false
  acceptingSince = isAccepting ? since : undefined
  return isAccepting
}
