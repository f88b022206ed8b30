import { useSyncExternalStore } from 'react'
import { onStored, readStored, writeStored } from '../session/browser-storage.ts'
import { quickEmoji, readCounts, wordsOf } from './quick-emoji.ts'

const [recentKey, countsKey] = ['skein-recent-emoji', 'skein-reaction-counts']
/** The number of emoji in a row of the picker. */
const mostRecent = 8
const mostCounted = 30

/** Returns the emoji that were last chosen in this browser, the newest first. */
export function readRecent(): string[] {
  return wordsOf(readStored(recentKey)).slice(0, mostRecent)
}

export function rememberEmoji(emoji: string): void {
  writeStored(recentKey, [emoji, ...readRecent().filter((other) => other !== emoji)].join(' '))
}

/** Counts a reaction of the person in this browser. */
export function countReaction(emoji: string): void {
  const counts = readCounts(readStored(countsKey))
  // The picker adds a variation selector to emoji that do not need it.
  const key = emoji.replace(/(?<=\p{Emoji_Presentation})\ufe0f/gu, '')
  counts.set(key, (counts.get(key) ?? 0) + 1)
  const most = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, mostCounted)
  writeStored(countsKey, most.flat().join(' '))
}

/** Returns the emoji that are offered as reactions: the usual ones, or those that the person uses most. */
export function useQuickEmoji(): string[] {
  const stored = useSyncExternalStore(onStored, () => readStored(countsKey))
  return quickEmoji(stored)
}
