import { useEffect, useState } from 'react'

/** When a dialog closes, returns the focus to the element that had it before the dialog opened. */
export function useFocusReturn(): void {
  const [opener] = useState(() => openerOf(document.activeElement))
  useEffect(
    () => () => {
      // The focus trap of the dialog ends after this effect.
      setTimeout(() => opener instanceof HTMLElement && opener.focus({ preventScroll: true }))
    },
    [opener],
  )
}

/** The element that had the focus last. A menu can be gone before what it opens is there. */
let lastFocused: Element | null = null
addEventListener('focusin', ({ target }) => {
  if (target instanceof Element) lastFocused = target
})

/** A menu item disappears with its menu. Therefore, the focus returns to the button that opened the menu. */
export function openerOf(element: Element | null): Element | null {
  const opener = element === document.body ? lastFocused : element
  const buttonID = opener?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return (buttonID && document.getElementById(buttonID)) || opener
}
