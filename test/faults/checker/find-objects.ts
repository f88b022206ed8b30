import type { Change, History, StoredThread } from '../history.ts'

/**
 * Removes the changes that were refused. Adds the object ID to changes without an answer: the ID of the object that has
 * the text of the change now, or of the object with the same key.
 */
export function withObjects({ changes, threads }: History): Change[] {
  const byText = new Map(
    threads.flatMap(({ id, messages }) => messages.map((message) => [message.text, { id, message }])),
  )
  const direct = ({ objectID, text, type }: Change) => {
    const found = text === undefined ? undefined : byText.get(text)
    return objectID ?? (type === 'threadCreated' ? found?.id : found?.message.id)
  }
  const possible = changes.filter(({ outcome }) => outcome !== 'refused')
  const known = possible.map((change) => ({ ...change, objectID: direct(change) }))
  const byKey = new Map(known.filter(({ objectID }) => objectID).map(({ key, objectID }) => [key, objectID]))
  return known.map((change) => ({
    ...change,
    objectID: change.objectID ?? (change.key === undefined ? undefined : byKey.get(change.key)),
  }))
}

/** Checks that a key identifies one object, that only one call creates each object, and that each text exists once. */
export function checkObjects(changes: Change[], threads: StoredThread[]): string[] {
  const known = changes.filter(({ objectID }) => objectID !== undefined)
  const keyed = new Map(known.map(({ key, objectID }) => [key, objectID]))
  const split = known.filter(({ key, objectID }) => key !== undefined && keyed.get(key) !== objectID)
  const created = known
    .filter(({ type, outcome }) => type.endsWith('Created') && outcome === 'acknowledged')
    .map(({ objectID }) => objectID)
  const written = new Set(changes.map(({ text }) => text))
  const texts = threads
    .flatMap(({ messages }) => messages.map(({ text }) => text))
    .filter((text) => text !== '' && written.has(text))
  return [
    ...split.map(({ key, objectID }) => `doubled: ${key} is ${objectID} and ${keyed.get(key ?? '')}`),
    ...repeated(created).map((id) => `doubled: ${id} was created by two calls`),
    ...repeated(texts).map((text) => `doubled: two messages have the text “${text}”`),
  ]
}

function repeated<T>(values: T[]): T[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}
