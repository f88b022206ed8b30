import type { KeyboardEvent } from 'react'

/** The functions that move a pin. Without a function, the pin cannot move further. */
export type Moves = { up: (() => void) | undefined; down: (() => void) | undefined }

/** Returns a handler for the keys that move a pin. */
export const onMoveKey =
  ({ up, down }: Moves) =>
  (event: KeyboardEvent) => {
    if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    const move = event.key === 'ArrowUp' ? up : down
    move?.()
  }
