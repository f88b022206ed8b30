import { type KeyboardEvent, type SyntheticEvent, useRef } from 'react'
import type { FieldText } from '../field-text/field-text.ts'
import { mentionBeside, outsideMentions, type Selection } from '../field-text/selection.ts'

/** Keeps the caret and the selection of a field outside of mentions. */
export function useSelection(latest: () => FieldText, onCaret: (caret: number) => void) {
  const last = useRef<Selection>({ start: 0, end: 0 })
  const isPointer = useRef(false)
  const onSelect = ({ currentTarget: field }: SyntheticEvent<HTMLTextAreaElement>) => {
    const now = { start: field.selectionStart, end: field.selectionEnd }
    const { mentions } = latest()
    const { start, end } = outsideMentions(mentions, now, last.current, isPointer.current)
    last.current = { start, end }
    if (start !== now.start || end !== now.end) field.setSelectionRange(start, end, field.selectionDirection)
    onCaret(start)
  }
  const onPointerDown = () => {
    isPointer.current = true
  }
  /** Selects the mention that this key deletes, so that the browser deletes it as a whole. */
  const onDeleteKey = ({ key, currentTarget: field }: KeyboardEvent<HTMLTextAreaElement>) => {
    isPointer.current = false
    const now = { start: field.selectionStart, end: field.selectionEnd }
    const mention = mentionBeside(latest().mentions, now, key)
    if (mention) field.setSelectionRange(mention.start, mention.end)
  }
  return { onSelect, onPointerDown, onDeleteKey }
}
