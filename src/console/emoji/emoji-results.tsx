import { type KeyboardEvent, useId, useState } from 'react'
import type { Emoji } from './emoji-names.ts'
import styles from './emoji-picker.module.css'

type Options = { search: string; columns: number; onSelect: (emoji: string) => void }

const steps: Record<string, (columns: number) => number> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
}

/** The emoji that a search has found. The focus stays in the field, and the arrow keys choose among them. */
export function useResults(found: readonly Emoji[], { search, columns, onSelect }: Options) {
  const id = useId()
  const [chosen, setChosen] = useState({ search, index: 0 })
  // When the search changes, the first emoji becomes active.
  const active = chosen.search === search ? Math.min(chosen.index, found.length - 1) : 0
  const onKeyDown = (event: KeyboardEvent) => {
    if (search.trim() === '' || event.nativeEvent.isComposing) return
    const emoji = found[active]?.emoji
    const step = steps[event.key]?.(columns)
    const next = active + (step ?? 0)
    if (event.key === 'Enter' && emoji !== undefined) onSelect(emoji)
    else if (step !== undefined && next >= 0 && next < found.length) setChosen({ search, index: next })
    else if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
  }
  const isOpen = search.trim() !== '' && found.length > 0
  return {
    id,
    found,
    active,
    onSelect,
    props: {
      onKeyDown,
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? `${id}-${active}` : undefined,
    },
  }
}

export function EmojiResults({ results }: { results: ReturnType<typeof useResults> }) {
  const { id, found, active, onSelect } = results
  if (found.length === 0)
    return (
      <div className={styles.hint} role="status">
        No emoji found. Try another word.
      </div>
    )
  return (
    <div className={`${styles.viewport} ${styles.found}`} id={id} role="listbox" aria-label="Found emoji">
      {found.map(({ emoji, label }, index) => (
        <button
          key={emoji}
          id={`${id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-label={label}
          aria-selected={index === active}
          className={styles.emoji}
          data-active={index === active || undefined}
          onClick={() => onSelect(emoji)}
        >
          {emoji}
        </button>
      ))}
    </div>
  )
}
