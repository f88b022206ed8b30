import type { MouseEvent } from 'react'

/** Returns whether a click is the second of a double click. The first click may already have completed the action. */
export function isRepeated({ detail }: MouseEvent): boolean {
  return detail > 1
}
