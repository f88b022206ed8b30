const maxNames = 20

/** Returns the names of fields that are not known but differ from a known name by case, separators or one character. */
export function misspelledFields(fields: object, known: readonly string[]): string[] {
  const unknown = Object.keys(fields).filter((name) => name.length <= 50 && !known.includes(name))
  if (unknown.length === 0) return []
  const normalized = known.map(normalize)
  return unknown.filter((name) => normalized.some((one) => isNear(normalize(name), one))).slice(0, maxNames)
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

// Whether at most one character is missing, additional or different, or two neighbours have changed places.
function isNear(given: string, name: string): boolean {
  if (given === name) return true
  if (given.length < 4 || Math.abs(given.length - name.length) > 1) return false
  let start = 0
  while (start < given.length && given[start] === name[start]) start += 1
  const [rest, other] = [given.slice(start), name.slice(start)]
  const swapped = `${rest[1]}${rest[0]}${rest.slice(2)}`
  return (
    rest.slice(1) === other ||
    rest === other.slice(1) ||
    rest.slice(1) === other.slice(1) ||
    swapped === other
  )
}
