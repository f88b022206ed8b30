import type { MouseEvent, PointerEvent, TouchEvent } from 'react'

const holdMs = 500
const farPx = 10
/** On a phone, nothing hovers, and a row has no room for the button of its menu. */
const isPhone = matchMedia('(hover: none) and (max-width: 48em)')

let timer: ReturnType<typeof setTimeout> | undefined
let start = { x: 0, y: 0 }
let isDone = false

const cancel = () => clearTimeout(timer)

/**
 * The properties of a row. When a finger stays on it, they click the button with which the row opens its menu. Links and
 * buttons inside of the row keep what the browser does. `--press-y` is the distance of the finger from the top of the row.
 */
export const longPress = {
  onPointerDown: ({
    pointerType,
    isPrimary,
    clientX: x,
    clientY: y,
    target,
    currentTarget,
  }: PointerEvent) => {
    isDone = false
    cancel()
    if (!isPhone.matches || pointerType === 'mouse' || !isPrimary || isOther(target, currentTarget)) return
    start = { x, y }
    timer = setTimeout(() => open(currentTarget), holdMs)
  },
  onPointerMove: ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - start.x, clientY - start.y) > farPx) cancel()
  },
  onPointerUp: cancel,
  onPointerCancel: cancel,
  // Some browsers send it for a long press. They would open a menu of their own.
  onContextMenu: (event: MouseEvent) => {
    if (!isPhone.matches || isOther(event.target, event.currentTarget)) return
    event.preventDefault()
    if (!isDone) open(event.currentTarget)
  },
  // Otherwise, the browser would click what is below the finger, and the menu would close.
  onTouchEnd: (event: TouchEvent) => {
    if (isDone) event.preventDefault()
  },
}

function open(row: Element): void {
  cancel()
  isDone = true
  const button = row.querySelector<HTMLElement>('button[aria-haspopup=menu]')
  if (!button || !(row instanceof HTMLElement)) return
  row.style.setProperty('--press-y', `${start.y - row.getBoundingClientRect().top}px`)
  // The focus returns to it when the menu closes.
  button.focus({ preventScroll: true })
  button.click()
}

/** Returns whether something else than the row itself was touched: an open menu, or a link or button inside of the row. */
function isOther(target: EventTarget, row: Element): boolean {
  if (!(target instanceof Element) || !row.contains(target)) return true
  const control = target.closest('a, button, input, textarea')
  return control !== null && row.contains(control) && !control.matches('[data-thread-row]')
}
