import type { Operation, Settings } from '../format.ts'
import { shorten } from '../shorten.ts'

/** What has a thread: a pull request, a merge request or an issue. `isClosed` is false if the body does not say it. */
export type Topic = { key: string; subject: string; isClosed: boolean }

type Place = Pick<Operation, 'uniqueBy' | 'threadBy' | 'threadSubject' | 'threadClosed' | 'threadState'>

/**
 * Returns where the message `key` of a topic is written. The highest version of all calls of a thread decides whether it is
 * closed. Therefore the order in which calls arrive does not matter. Only the card opens a thread again, and only the
 * card sets its state, because the other messages of a thread have no order among each other.
 */
export function placeIn({ key: topicKey, subject, isClosed }: Topic, key: string, settings: Settings): Place {
  // Several topics can write into one thread that is the target. Then they do not decide about it.
  if (settings.groupID === undefined) return { uniqueBy: `${topicKey} ${key}`, threadState: 'keep' }
  return {
    uniqueBy: key,
    threadBy: topicKey,
    threadSubject: shorten(subject, settings.limits.subjectCharacters),
    threadClosed: isClosed || 'keep',
    threadState: 'keep',
  }
}
