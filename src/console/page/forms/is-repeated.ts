import type { MouseEvent } from 'react'

/** Whether a click is the second of a double click. The first one may have completed the action already. */
export function isRepeated({ detail }: MouseEvent): boolean {
  return detail > 1
}
