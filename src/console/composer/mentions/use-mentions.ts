import { useEffect, useId, useState } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { type MentionOption, mentionOptions } from './mention-options.ts'

const maxShown = 8
// A mention begins at the start of a word. Names can have several words, but a search stops at a line break.
const unfinished = /(?:^|[\s(])@([\p{L}\p{N}][^\n@[\]]{0,40})?$/u

/** Completes mentions: while the text before the caret ends with an unfinished mention, offers users and groups. */
export function useMentions(text: string, caret: number, onComplete: (text: string, caret: number) => void) {
  const environment = useRelayEnvironment()
  const listID = useId()
  const [options, setOptions] = useState<readonly MentionOption[]>([])
  const [active, setActive] = useState(0)
  const [dismissedAt, setDismissedAt] = useState<number | null>(null)
  const match = unfinished.exec(text.slice(0, caret))
  const search = match?.[1]?.toLowerCase() ?? ''
  const start = match ? caret - search.length - 1 : null
  const isOpen = start !== null && start !== dismissedAt

  useEffect(() => {
    // Without the list, people can still write.
    if (isOpen) mentionOptions(environment).then(setOptions, () => setOptions([]))
  }, [isOpen, environment])
  // Another search has another first option.
  useEffect(() => setActive(0), [search])

  const shown = isOpen ? find(options, search) : []
  const choose = (option: MentionOption | undefined) => {
    if (!option || start === null) return
    const mention = `[${option.name.replace(/[\\[\]*_~`]/g, '\\$&')}](skein:${option.id}) `
    onComplete(text.slice(0, start) + mention + text.slice(caret).replace(/^ /, ''), start + mention.length)
  }
  /** Returns whether the list used the key. */
  const onKey = (key: string): boolean => {
    if (shown.length === 0) return false
    if (key === 'ArrowDown') setActive((active + 1) % shown.length)
    else if (key === 'ArrowUp') setActive((active + shown.length - 1) % shown.length)
    else if (key === 'Enter' || key === 'Tab') choose(shown[active])
    else if (key === 'Escape') setDismissedAt(start)
    else return false
    return true
  }
  return { listID, shown, active, choose, onKey }
}

function find(options: readonly MentionOption[], search: string): readonly MentionOption[] {
  const rank = ({ name }: MentionOption) => {
    const lower = name.toLowerCase()
    if (lower.startsWith(search)) return 0
    return lower.includes(` ${search}`) ? 1 : 2
  }
  return options
    .filter((option) => rank(option) < 2)
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, maxShown)
}
