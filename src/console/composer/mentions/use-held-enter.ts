import { useEffect, useState } from 'react'

const longestMs = 1000

type Props = {
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
export function useHeldEnter({ text, isWaiting, shown, onSubmit }: Props) {
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
    const timer = setTimeout(() => setHeld({ text: heldText, isLate: true }), longestMs)
    return () => clearTimeout(timer)
  }, [heldText])
  const hold = () => {
    setHeld({ text, isLate: false })
    return true
  }
  return { hold }
}
