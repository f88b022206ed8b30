/** A mention in a field, from its @ to the end of its name. */
export type FieldMention = { id: string; start: number; end: number }

/** What a message field shows. The mentions are in order and do not overlap. */
export type FieldText = { text: string; mentions: readonly FieldMention[] }

/** A part of a text that is replaced. */
export type Change = { start: number; end: number; part: FieldText }

export function plain(text: string): FieldText {
  return { text, mentions: [] }
}

export function mentionText({ id, name }: { id: string; name: string }): FieldText {
  const text = `@${name}`
  return { text, mentions: [{ id, start: 0, end: text.length }] }
}

/** Replaces a part of the text. A mention of which a part is replaced becomes text. */
export function replacePart({ text, mentions }: FieldText, { start, end, part }: Change): FieldText {
  const moved = (some: readonly FieldMention[], by: number) =>
    some.map((one) => ({ ...one, start: one.start + by, end: one.end + by }))
  return {
    text: text.slice(0, start) + part.text + text.slice(end),
    mentions: [
      ...mentions.filter((one) => one.end <= start),
      ...moved(part.mentions, start),
      ...moved(
        mentions.filter((one) => one.start >= end),
        part.text.length - (end - start),
      ),
    ],
  }
}

/** Replaces parts of the text that are in order and do not overlap. */
export function replaceParts(text: FieldText, changes: readonly Change[]): FieldText {
  return changes.reduceRight(replacePart, text)
}

/** Returns a part of a text, with the mentions that are whole in it. */
export function partOf({ text, mentions }: FieldText, start: number, end: number): FieldText {
  const whole = mentions.filter((one) => one.start >= start && one.end <= end)
  return {
    text: text.slice(start, end),
    mentions: whole.map((one) => ({ ...one, start: one.start - start, end: one.end - start })),
  }
}

/**
 * Returns what an edit of the text has replaced. `caret` is its position after the edit: typed text ends there. Without
 * it, a deletion among equal letters could seem to touch a mention next to them.
 */
export function changeBetween(before: string, after: string, caret: number): Change {
  const isAtCaret = before.endsWith(after.slice(caret))
  const kept = isAtCaret ? after.length - caret : commonLength(reversed(before), reversed(after))
  const most = Math.min(before.length, after.length) - kept
  const start = commonLength(before.slice(0, most), after.slice(0, most))
  return { start, end: before.length - kept, part: plain(after.slice(start, after.length - kept)) }
}

/** Returns what an edit left of the mentions from which it deleted a part, as a part of the new text. */
export function remainderOf(mentions: readonly FieldMention[], { start, end, part }: Change) {
  const cut = mentions.filter((one) => one.start < end && one.end > start)
  const from = Math.min(start, ...cut.map((one) => one.start))
  const to = Math.max(end, ...cut.map((one) => one.end)) - (end - start)
  return part.text === '' && to > from ? { start: from, end: to } : null
}

function reversed(text: string): string {
  return text.split('').reverse().join('')
}

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}
