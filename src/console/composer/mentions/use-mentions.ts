import { useEffect, useId, useState } from 'react'
import type { DirectoryEntry } from '../../people/directory.ts'
import { matches, useSearch } from '../../people/picker/use-search.ts'
import { mentionOf, unfinishedMention } from './mention-text.ts'
import { useExactMention } from './use-exact-mention.ts'

const maxShown = 8
// A search starts without a delay, because the results must appear quickly. Searches for a few letters are cheap.
const delayMs = 0
const longestWaitMs = 1000

type Props = {
  text: string
  caret: number
  onComplete: (text: string, caret: number) => void
  onRetype: (start: number, end: number, part: string) => void
  onMove: (caret: number) => void
  onSubmit: () => void
}

/** Offers users and groups while the text before the caret ends with an unfinished mention. */
export function useMentions({ text, caret, onComplete, onRetype, onMove, onSubmit }: Props) {
  const listID = useId()
  const [activeID, setActiveID] = useState<string | null>(null)
  const [dismissedAt, setDismissedAt] = useState<number | null>(null)
  const unfinished = unfinishedMention(text.slice(0, caret))
  const search = unfinished?.search ?? ''
  const start = unfinished?.start ?? null
  const isOpen = start !== null && start !== dismissedAt
  const { entries, isLoading, problem } = useSearch(search, { isActive: isOpen, delayMs })
  // If the @ of the dismissed mention is gone, a later @ at the same position starts a new mention.
  const isGone = dismissedAt !== null && text[dismissedAt] !== '@'
  useEffect(() => {
    if (isGone) setDismissedAt(null)
  }, [isGone])
  const [lastSearch, setLastSearch] = useState(search)
  // When the search changes, the first option becomes active.
  if (search !== lastSearch) {
    setLastSearch(search)
    setActiveID(null)
  }

  // If the search ends with a space, only names that continue with another word match. The service ignores the space.
  const found = /\s$/.test(search) ? entries.filter(({ name }) => matches(name, search)) : entries
  const shown = isOpen ? found.slice(0, maxShown) : []
  const active = Math.max(
    0,
    shown.findIndex(({ id }) => id === activeID),
  )
  const isOneWord = search !== '' && !/\s/.test(search)
  const notice = isOpen && shown.length === 0 && isOneWord ? noticeOf(isLoading, problem) : null
  const enter = useHeldEnter({ text, isWaiting: isLoading && shown.length === 0, shown, onSubmit })
  const exact = useExactMention({ text, isDismissed: (at) => at === dismissedAt, onRetype, onMove })
  const choose = (option: DirectoryEntry | undefined) => {
    if (!option || start === null) return
    const mention = `${mentionOf(option)} `
    onComplete(text.slice(0, start) + mention + text.slice(caret).replace(/^ /, ''), start + mention.length)
  }
  const move = (by: number) => setActiveID(shown.at((active + by) % shown.length)?.id ?? null)
  /** Returns whether the list handled the key. `isSend` says whether the key would send the message. */
  const onKey = (key: string, isSend: boolean): boolean => {
    if (key === 'Backspace') return exact.revert(caret)
    if (key === 'Escape' && (shown.length > 0 || notice !== null)) {
      setDismissedAt(start)
      return true
    }
    if (shown.length === 0) return isSend && isLoading && enter.hold()
    if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(-1)
    else if (key === 'Enter' || key === 'Tab') choose(shown[active])
    else return false
    return true
  }
  return { listID, shown, active, notice, choose, onKey, onType: exact.onType, complete: exact.complete }
}

function noticeOf(isLoading: boolean, problem: string | null): string {
  return problem ?? (isLoading ? 'Searching…' : 'No matches')
}

type HeldEnter = {
  text: string
  /** Whether a search is in flight, and there is nothing to choose yet. */
  isWaiting: boolean
  shown: readonly unknown[]
  onSubmit: () => void
}

/**
 * If the person presses Enter while the search for a mention is in flight, waits for the search, for at most a second.
 * Then sends the message if the search has found nothing. Otherwise does not send it, because the person has not seen
 * the list yet.
 */
function useHeldEnter({ text, isWaiting, shown, onSubmit }: HeldEnter) {
  const [held, setHeld] = useState<{ text: string; isLate: boolean } | null>(null)
  const isSettled = held !== null && (held.isLate || !isWaiting)
  useEffect(() => {
    if (held === null || !isSettled) return
    setHeld(null)
    if (held.text === text && shown.length === 0) onSubmit()
  }, [held, isSettled, text, shown, onSubmit])
  const heldText = held?.text
  useEffect(() => {
    if (heldText === undefined) return
    const timer = setTimeout(() => setHeld({ text: heldText, isLate: true }), longestWaitMs)
    return () => clearTimeout(timer)
  }, [heldText])
  const hold = () => {
    setHeld({ text, isLate: false })
    return true
  }
  return { hold }
}
