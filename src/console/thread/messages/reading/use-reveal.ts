import { useEffect, useRef } from 'react'
import type { Unfold } from '../../../page/reading/fold.tsx'

/**
 * Shows the line of a folded text that the browser has scrolled to. Returns the function to call after the list has
 * measured its rows. Before that, the list would take the position for one below the row, and remove the row.
 */
export function useReveal(scroller: HTMLElement | null): () => void {
  const offsetPx = useRef(0)
  useEffect(() => {
    const onUnfold = ({ detail }: CustomEvent<Unfold>) => {
      offsetPx.current = detail.offsetPx
    }
    scroller?.addEventListener('unfold', onUnfold)
    return () => scroller?.removeEventListener('unfold', onUnfold)
  }, [scroller])
  return () => {
    if (offsetPx.current > 0) scroller?.scrollBy(0, offsetPx.current)
    offsetPx.current = 0
  }
}
