import { useEffect, useRef, useState } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { searchKey } from '../../../text/search/words.ts'
import { errorText } from '../../relay/error-text.ts'
import { type DirectoryEntry, matches, searchDirectory, searchOf } from '../directory.ts'
import { searchNearby } from '../nearby.ts'

type Found = {
  number: number
  search: string
  entries: readonly DirectoryEntry[]
  nearby: ReadonlySet<string>
  problem: string | null
}
/** The order of what matches equally. */
const kinds: readonly DirectoryEntry['kind'][] = ['person', 'app', 'webhook', 'group']

const nothing: Found = { number: 0, search: '', entries: [], nearby: new Set(), problem: null }

type Options = {
  isActive: boolean
  /** How long the text must stay the same before a search starts. The first search starts without a delay. */
  delayMs: number
  /** The IDs of a thread, or of recipients. They and their members come first. */
  near?: readonly string[]
}

/**
 * Searches users and groups while the person types. Until the new results arrive, returns the previous results that
 * still match. Names that start with the text come first, and people come before programs and groups that match equally.
 */
export function useSearch(text: string, { isActive, delayMs, near = [] }: Options) {
  const environment = useRelayEnvironment()
  const search = searchOf(text)
  const nearIDs = near.join()
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
        const ids = nearIDs === '' ? [] : nearIDs.split(',')
        const searches = [
          searchNearby(environment, ids, search),
          searchDirectory(environment, search),
        ] as const
        Promise.all(searches).then(
          ([nearby, all]) => receive({ number, search, problem: null, ...joined(nearby, all) }),
          (error: Error) => receive({ ...nothing, number, search, problem: errorText(error) }),
        )
      },
      isFirst ? 0 : delayMs,
    )
    return () => clearTimeout(timer)
  }, [environment, search, isActive, delayMs, isFirst, nearIDs])

  const isCurrent = found.number > 0 && found.search === search
  const entries = isCurrent ? found.entries : found.entries.filter(({ name }) => matches(name, search))
  return {
    entries: entries.toSorted(
      (one, other) =>
        Number(found.nearby.has(other.id)) - Number(found.nearby.has(one.id)) ||
        rank(one.name, search) - rank(other.name, search) ||
        kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
        one.name.localeCompare(other.name),
    ),
    isLoading: isActive && !isCurrent,
    problem: isCurrent ? found.problem : null,
  }
}

function joined(nearby: readonly DirectoryEntry[], all: readonly DirectoryEntry[]) {
  const ids = new Set(nearby.map(({ id }) => id))
  return { nearby: ids, entries: [...nearby, ...all.filter(({ id }) => !ids.has(id))] }
}

/** Returns 0 if the name starts with the text, and 1 otherwise. */
export function rank(name: string, search: string): number {
  return searchKey(name).startsWith(searchKey(search)) ? 0 : 1
}
