import { useEffect, useRef, useState } from 'react'

/** How long the rows keep their places after an input. A person who reads the rows does not move the pointer. */
const holdMs = 15_000

/**
 * Returns the order in which a list shows its rows, and the props for the element around the list. No row moves while
 * the pointer or the keyboard is used in the list, so that nobody selects the wrong row.
 */
export function useSteadyOrder(wanted: readonly string[], exists: (id: string) => boolean) {
  const [isHeld, setHeld] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const shown = useRef(wanted)
  const order = isHeld ? steadyOrder(shown.current, wanted, exists) : wanted
  useEffect(() => {
    shown.current = order
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const release = () => {
    clearTimeout(timer.current)
    setHeld(false)
  }
  const hold = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(release, holdMs)
    setHeld(true)
  }
  return {
    order,
    holdProps: {
      onPointerMove: hold,
      onPointerDown: hold,
      onWheel: hold,
      onFocus: hold,
      onKeyDown: hold,
      onPointerLeave: release,
    },
  }
}

/**
 * Returns an order that does not move the rows on screen: IDs that are shown keep their places while they exist, and a
 * new ID is added only if it comes after all of them.
 */
function steadyOrder(
  shown: readonly string[],
  wanted: readonly string[],
  exists: (id: string) => boolean,
): readonly string[] {
  const kept = shown.filter(exists)
  const isKept = new Set(kept)
  const last = wanted.findLastIndex((id) => isKept.has(id))
  return [...kept, ...wanted.slice(last + 1)]
}
