import { useEffect } from 'react'

/**
 * Shows the list as soon as the row at which it opens has stayed in view for a frame. Virtuoso alone would show the list
 * 0.2 s later.
 */
export function useEarlyShow(scroller: HTMLElement | null, rowID: string | undefined): void {
  useEffect(() => {
    if (!scroller || rowID === undefined) return
    let lastTop: number | undefined
    let frame = 0
    const check = () => {
      const rows = scroller.querySelector<HTMLElement>('[data-testid="virtuoso-item-list"]')
      if (rows && rows.style.visibility !== 'hidden') return
      const top = topInView(scroller, rowID)
      if (rows && top !== undefined && top === lastTop) rows.style.visibility = 'visible'
      else frame = requestAnimationFrame(check)
      lastTop = top
    }
    check()
    return () => cancelAnimationFrame(frame)
  }, [scroller, rowID])
}

function topInView(scroller: HTMLElement, rowID: string): number | undefined {
  const row = document.getElementById(rowID)?.getBoundingClientRect()
  const view = scroller.getBoundingClientRect()
  return row && row.bottom > view.top && row.top < view.bottom ? row.top : undefined
}
