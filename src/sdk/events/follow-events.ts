import { SkeinError } from '../errors.ts'
import { sleep } from '../requests/http.ts'

const firstPauseMs = 250
const maxPauseMs = 30_000

export type EventFeed<Event> = {
  /** Connects, and yields events until the connection ends. */
  connect: (after: string) => AsyncIterable<Event>
  /** Moves the cursor `after` past events that do not match, and returns the new cursor. */
  latest: (after: string) => Promise<string>
}

/** Yields each event after a cursor once, and reconnects. Throws errors that another attempt cannot solve. */
export async function* followEvents<Event extends { cursor: string }>(
  begin: Promise<string>,
  { connect, latest }: EventFeed<Event>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event, void, undefined> {
  let after = await begin
  signal?.throwIfAborted()
  let isQuiet = false
  for (let failures = 0; ; failures += 1) {
    const connectedAt = performance.now()
    let notBeforeMs = 0
    try {
      // Otherwise the cursor would expire if no event matches for days, although the reader has missed nothing.
      if (isQuiet) after = await latest(after)
      isQuiet = true
      for await (const event of connect(after)) {
        isQuiet = false
        failures = 0
        after = event.cursor
        yield event
        signal?.throwIfAborted()
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof SkeinError && error.isTemporary)) throw error
      notBeforeMs = (error.retryAfterSeconds ?? 0) * 1000
    }
    signal?.throwIfAborted()
    if (performance.now() - connectedAt > maxPauseMs) failures = 0
    await sleep(Math.max(notBeforeMs, pauseMs(failures)), signal)
  }
}

/** Half of the pause is random. Otherwise, clients that lose their connections together would reconnect together. */
function pauseMs(failures: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** failures) * (0.5 + Math.random() / 2)
}
