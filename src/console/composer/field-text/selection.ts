import type { FieldMention } from './field-text.ts'

export type Selection = { start: number; end: number }

/**
 * Returns the selection with both ends outside of mentions. A caret that steps into a mention steps over it, and a
 * selection takes the whole mention, or leaves it when the keyboard makes the selection smaller.
 */
export function outsideMentions(
  mentions: readonly FieldMention[],
  now: Selection,
  before: Selection,
  isPointer: boolean,
): Selection {
  const around = (at: number) => mentions.find(({ start, end }) => start < at && at < end)
  const [first, last] = [around(now.start), around(now.end)]
  if (now.start === now.end) {
    const at = first ? endOf(first, now.start, isPointer ? now.start : before.start) : now.start
    return { start: at, end: at }
  }
  const [isSameStart, isSameEnd] = [now.start === before.start, now.end === before.end]
  const leavesFirst = !isPointer && isSameEnd && before.start === first?.start
  const leavesLast = !isPointer && isSameStart && before.end === last?.end
  return {
    start: first ? (leavesFirst ? first.end : first.start) : now.start,
    end: last ? (leavesLast ? last.start : last.end) : now.end,
  }
}

/** Returns the other end of the mention if the caret was at one end before. Otherwise, returns the nearer end. */
function endOf({ start, end }: FieldMention, at: number, before: number): number {
  if (before === start) return end
  if (before === end) return start
  return at - start < end - at ? start : end
}

/** Returns the mention that a deletion at the caret removes as a whole. */
export function mentionBeside(
  mentions: readonly FieldMention[],
  { start: at, end }: Selection,
  key: string,
): FieldMention | undefined {
  if (at !== end) return undefined
  if (key === 'Backspace') return mentions.find((one) => one.start < at && at <= one.end)
  if (key === 'Delete') return mentions.find((one) => one.start <= at && at < one.end)
  return undefined
}
