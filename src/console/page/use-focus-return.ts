import { useEffect, useState } from 'react'

/** Returns the focus to the element that had it, when the dialog that calls this closes. */
export function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // The focus trap of the dialog ends after this effect.
      setTimeout(() => opener instanceof HTMLElement && opener.focus({ preventScroll: true }))
    },
    [opener],
  )
}
