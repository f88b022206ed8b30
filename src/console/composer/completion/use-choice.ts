import { useEffect, useId, useState } from 'react'

/** The choice among options that complete what a person types. `search` is what they have typed. */
export function useChoice<O extends { id: string }>(
  options: readonly O[],
  search: string,
  onChoose: (option: O) => void,
) {
  const listID = useId()
  const [activeID, setActiveID] = useState<string | null>(null)
  const [lastSearch, setLastSearch] = useState(search)
  // When the search changes, the first option becomes active.
  if (search !== lastSearch) {
    setLastSearch(search)
    setActiveID(null)
  }
  const index = options.findIndex(({ id }) => id === activeID)
  const active = Math.max(0, index)
  const move = (by: number) => setActiveID(options.at((active + by) % options.length)?.id ?? null)
  /** Returns whether the list handled the key. */
  const onKey = (key: string): boolean => {
    const option = options[active]
    if (!option) return false
    if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(-1)
    else if (key === 'Enter' || key === 'Tab') onChoose(option)
    else return false
    return true
  }
  return { listID, options, active, onKey }
}

/** Whether the person has closed the list for the sign at a position of the text. */
export function useDismissal(text: string, sign: string) {
  const [dismissedAt, setDismissedAt] = useState<number | null>(null)
  // If the sign is gone, a later sign at the same position opens the list again.
  const isGone = dismissedAt !== null && text[dismissedAt] !== sign
  useEffect(() => {
    if (isGone) setDismissedAt(null)
  }, [isGone])
  return { isDismissed: (at: number) => at === dismissedAt, dismiss: setDismissedAt }
}
