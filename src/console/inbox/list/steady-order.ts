/**
 * Returns an order that does not move the rows on screen: IDs that are shown keep their places while they exist, and a
 * new ID is added only if it comes after all of them.
 */
export function steadyOrder(
  shown: readonly string[],
  wanted: readonly string[],
  exists: (id: string) => boolean,
): readonly string[] {
  const kept = shown.filter(exists)
  const isKept = new Set(kept)
  const last = wanted.findLastIndex((id) => isKept.has(id))
  return [...kept, ...wanted.slice(last + 1)]
}
