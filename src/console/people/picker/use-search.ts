import { useEffect, useRef, useState } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { searchKey } from '../../../text/search/words.ts'
import { errorText } from '../../relay/error-text.ts'
import { type DirectoryEntry, searchDirectory, searchOf } from '../directory.ts'

type Found = { number: number; search: string; entries: readonly DirectoryEntry[]; problem: string | null }
const nothing: Found = { number: 0, search: '', entries: [], problem: null }

/** `delayMs` is how long the text must stay the same before a search starts. The first search starts without a delay. */
type Options = { isActive: boolean; delayMs: number }

/**
 * Searches users and groups while the person types. Until the new results arrive, returns the previous results that
 * still match. Names that start with the text come first, and users come before groups that match equally.
 */
export function useSearch(text: string, { isActive, delayMs }: Options) {
  const environment = useRelayEnvironment()
  const search = searchOf(text)
  const [found, setFound] = useState(nothing)
  const lastNumber = useRef(0)
  const isFirst = found.number === 0
  useEffect(() => {
    if (!isActive) return
    const timer = setTimeout(
      () => {
        lastNumber.current += 1
        const number = lastNumber.current
        // The results of an earlier search can arrive after the results of a later search.
        const receive = (next: Found) => setFound((shown) => (shown.number > next.number ? shown : next))
        searchDirectory(environment, search).then(
          (entries) => receive({ number, search, entries, problem: null }),
          (error: Error) => receive({ number, search, entries: [], problem: errorText(error) }),
        )
      },
      isFirst ? 0 : delayMs,
    )
    return () => clearTimeout(timer)
  }, [environment, search, isActive, delayMs, isFirst])

  const isCurrent = found.number > 0 && found.search === search
  const entries = isCurrent ? found.entries : found.entries.filter(({ name }) => matches(name, search))
  return {
    entries: entries.toSorted(
      (one, other) =>
        rank(one.name, search) - rank(other.name, search) ||
        Number(one.kind === 'group') - Number(other.kind === 'group') ||
        one.name.localeCompare(other.name),
    ),
    isLoading: isActive && !isCurrent,
    problem: isCurrent ? found.problem : null,
  }
}

/** Returns whether a word of the name starts with the text. The service searches names by the same rule. */
export function matches(name: string, search: string): boolean {
  return searchKey(name).includes(searchKey(search))
}

/** Returns 0 if the name starts with the text, and 1 otherwise. */
export function rank(name: string, search: string): number {
  return searchKey(name).startsWith(searchKey(search)) ? 0 : 1
}
