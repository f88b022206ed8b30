import { useLayoutEffect, useRef, useState } from 'react'

/** Tracks where the caret of a text field is, and moves it when the text is replaced. */
export function useCaret(text: string, onChange: (text: string) => void) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(text.length)
  const [next, setNext] = useState<number | null>(null)
  useLayoutEffect(() => {
    // Without this, the caret is before the text if the field has the focus when it is mounted.
    const { current } = field
    if (current === document.activeElement)
      current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  useLayoutEffect(() => {
    if (next === null) return
    field.current?.focus()
    const at = Math.min(next, field.current?.value.length ?? 0)
    field.current?.setSelectionRange(at, at)
    setNext(null)
  }, [next])
  const replace = (value: string, at: number) => {
    onChange(value)
    setCaret(at)
    setNext(at)
  }
  const insert = (part: string) => {
    const { selectionStart: start, selectionEnd: end } = field.current ?? {
      selectionStart: text.length,
      selectionEnd: text.length,
    }
    replace(text.slice(0, start) + part + text.slice(end), start + part.length)
  }
  /** Replaces a part of the text so that the browser can undo it. Does nothing if the field does not have the focus. */
  const retype = (start: number, end: number, part: string) => {
    const { current } = field
    if (!current || current !== document.activeElement) return
    const value = current.value.slice(0, start) + part + current.value.slice(end)
    current.setSelectionRange(start, end)
    // Only this deprecated command keeps the undo history of the field.
    if (!document.execCommand('insertText', false, part)) replace(value, start + part.length)
  }
  const focusEnd = () => setNext(Number.MAX_SAFE_INTEGER)
  return { field, caret, setCaret, replace, retype, insert, move: setNext, focusEnd }
}
