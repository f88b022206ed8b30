import { useEffect, useRef, useState } from 'react'
import type { DirectoryEntry } from '../../people/directory.ts'
import { matches } from '../../people/directory.ts'
import { useSearch } from '../../people/picker/use-search.ts'
import { useChoice, useDismissal } from '../completion/use-choice.ts'
import type { CompletedField, Replacements } from '../completion/use-replacements.ts'
import { mentionText, replacePart } from '../field-text/field-text.ts'
import { unfinishedMention } from './mention-text.ts'
import { useExactMention } from './use-exact-mention.ts'

const maxShown = 8
// A search starts without a delay, because the results must appear quickly. Searches for a few letters are cheap.
const delayMs = 0
const longestWaitMs = 1000

type Options = {
  replacements: Replacements
  /** The IDs of the thread, or of the recipients, whose users and groups are offered first. */
  near: readonly string[]
  onSubmit: () => void
}

/** Offers users and groups while the text before the caret ends with an unfinished mention. */
export function useMentions(field: CompletedField, { replacements, near, onSubmit }: Options) {
  const { shown, caret, type } = field
  const unfinished = unfinishedMention(shown, caret)
  const search = unfinished?.search ?? ''
  const start = unfinished?.start ?? null
  const { isDismissed, dismiss } = useDismissal(shown.text, '@')
  const isOpen = start !== null && !isDismissed(start)
  const { entries, isLoading, problem } = useSearch(search, { isActive: isOpen, delayMs, near })
  // If the search ends with a space, only names that continue with another word match. The service ignores the space.
  const found = /\s$/.test(search) ? entries.filter(({ name }) => matches(name, search)) : entries
  const ownSpace = useRef<{ text: string; end: number } | null>(null)
  const choose = (option: DirectoryEntry) => {
    if (start === null) return
    const mention = mentionText(option)
    const end = shown.text[caret] === ' ' ? caret + 1 : caret
    const change = { start, end, part: { ...mention, text: `${mention.text} ` } }
    type(change)
    ownSpace.current = { text: replacePart(shown, change).text, end: start + change.part.text.length }
  }
  const list = useChoice(isOpen ? found.slice(0, maxShown) : [], search, choose)
  const isEmpty = list.options.length === 0
  const isOneWord = search !== '' && !/\s/.test(search)
  const notice = isOpen && isEmpty && isOneWord ? noticeOf(isLoading, problem) : null
  const active = list.options[list.active]
  const enter = useHeldEnter({
    text: shown.text,
    isWaiting: isLoading,
    active,
    onSubmit,
    onChoose: choose,
  })
  const { onType, complete } = useExactMention(field, { replacements, isDismissed })
  /** Returns whether the list handled the key. `isSend` says whether the key would send the message. */
  const onKey = (key: string, isSend: boolean): boolean => {
    const { current } = ownSpace
    // The person types on, as if the space after a mention that they have chosen were not there yet.
    if (key === ' ' && current?.text === shown.text && current.end === caret) {
      ownSpace.current = null
      return true
    }
    if (key === 'Escape' && start !== null && (!isEmpty || notice !== null)) {
      dismiss(start)
      return true
    }
    // A person can still be found who comes before a program or group that an earlier search found.
    const mustWait = active ? active.kind !== 'person' && (key === 'Enter' || key === 'Tab') : isSend
    return isLoading && mustWait ? enter.hold() : list.onKey(key)
  }
  return { ...list, notice, choose, onKey, onType, complete }
}

function noticeOf(isLoading: boolean, problem: string | null): string {
  return problem ?? (isLoading ? 'Searching…' : 'No matches')
}

type HeldEnter = {
  text: string
  /** Whether a search is in flight. */
  isWaiting: boolean
  /** What the person would choose. Until the search ends, this is what an earlier search found. */
  active: DirectoryEntry | undefined
  onSubmit: () => void
  onChoose: (option: DirectoryEntry) => void
}

/**
 * If the person presses Enter while the search for a mention is in flight, waits for the search, for at most a second.
 * Then does what Enter means for what the person has seen: chooses the same option, or sends the message if there was
 * and is nothing to choose. Otherwise does nothing, because the person has not seen the list yet.
 */
function useHeldEnter({ text, isWaiting, active, onSubmit, onChoose }: HeldEnter) {
  const [held, setHeld] = useState<{ text: string; id: string | undefined; isLate: boolean } | null>(null)
  const isSettled = held !== null && (held.isLate || !isWaiting)
  useEffect(() => {
    if (held === null || !isSettled) return
    setHeld(null)
    if (held.text !== text || held.id !== active?.id) return
    if (active) onChoose(active)
    else onSubmit()
  }, [held, isSettled, text, active, onSubmit, onChoose])
  const heldText = held?.text
  useEffect(() => {
    if (heldText === undefined) return
    const timer = setTimeout(() => setHeld((key) => key && { ...key, isLate: true }), longestWaitMs)
    return () => clearTimeout(timer)
  }, [heldText])
  const hold = () => {
    setHeld({ text, id: active?.id, isLate: false })
    return true
  }
  return { hold }
}
