import { useEffect, useEffectEvent } from 'react'

/** After a scroll of the person, the list stays where it is. */
const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown']
const mostScrolls = 20

/**
 * Shows the list as soon as the row at which it opens has stayed in view for a frame. Virtuoso alone would show the list
 * 0.2 s later. On a busy computer, Virtuoso may also scroll before its rows have their height, and then shows the list at
 * another row. Then `scrollToRow` is called until the row is in view.
 */
export function useOpening(
  scroller: HTMLElement | null,
  rowID: string | undefined,
  scrollToRow: () => void,
): void {
  const scroll = useEffectEvent(scrollToRow)
  useEffect(() => {
    if (!scroller || rowID === undefined) return
    let lastTop: number | undefined
    let frame = 0
    let scrolls = 0
    const check = () => {
      const rows = scroller.querySelector<HTMLElement>('[data-testid="virtuoso-item-list"]')
      const top = topInView(scroller, rowID)
      const isHidden = rows?.style.visibility === 'hidden'
      if (rows && top !== undefined && top === lastTop) {
        // What covers the list could not hide rows that are always visible. Virtuoso removes the value later.
        if (isHidden) rows.style.visibility = 'visible'
        return
      }
      if (rows && !isHidden && top === undefined && scroller.clientHeight > 0) {
        scrolls += 1
        if (scrolls > mostScrolls) return
        scroll()
      }
      lastTop = top
      frame = requestAnimationFrame(check)
    }
    check()
    const listening = new AbortController()
    const end = () => {
      cancelAnimationFrame(frame)
      listening.abort()
    }
    for (const input of inputs)
      scroller.addEventListener(input, end, { passive: true, signal: listening.signal })
    return end
  }, [scroller, rowID])
}

function topInView(scroller: HTMLElement, rowID: string): number | undefined {
  const row = document.getElementById(rowID)?.getBoundingClientRect()
  const view = scroller.getBoundingClientRect()
  return row && row.bottom > view.top && row.top < view.bottom ? row.top : undefined
}
