import { type MouseEvent, type PointerEvent, type TouchEvent, useRef } from 'react'

const holdMs = 500
const farPx = 10
/** On a phone, nothing hovers, and a row has no room for the button of its menu. */
const isPhone = matchMedia('(hover: none) and (max-width: 48em)')

/**
 * Returns the properties of a row. When a finger stays on it, they click the button with which the row opens its menu.
 * Links and buttons inside of the row keep what the browser does.
 */
export function useLongPress() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const start = useRef({ x: 0, y: 0 })
  const isDone = useRef(false)
  const cancel = () => clearTimeout(timer.current)
  const open = (row: Element) => {
    cancel()
    if (!isDone.current) row.querySelector<HTMLElement>('button[aria-haspopup=menu]')?.click()
    isDone.current = true
  }
  return {
    onPointerDown: ({ pointerType, clientX: x, clientY: y, target, currentTarget }: PointerEvent) => {
      isDone.current = false
      cancel()
      if (!isPhone.matches || pointerType === 'mouse' || isOther(target, currentTarget)) return
      start.current = { x, y }
      timer.current = setTimeout(() => open(currentTarget), holdMs)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > farPx) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    // Some browsers send it for a long press. They would open a menu of their own.
    onContextMenu: (event: MouseEvent) => {
      if (!isPhone.matches || isOther(event.target, event.currentTarget)) return
      event.preventDefault()
      open(event.currentTarget)
    },
    // Otherwise, the browser would click what is below the finger, and the menu would close.
    onTouchEnd: (event: TouchEvent) => {
      if (isDone.current) event.preventDefault()
    },
  }
}

/** Returns whether something else than the row itself was touched: an open menu, or a link or button inside of the row. */
function isOther(target: EventTarget, row: Element): boolean {
  if (!(target instanceof Element) || !row.contains(target)) return true
  const control = target.closest('a, button, input, textarea')
  return control !== null && row.contains(control) && !control.matches('[data-thread-row]')
}
