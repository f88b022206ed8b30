import { useLayoutEffect, useRef, useState } from 'react'

/** Tracks where the caret of a text field is, and moves it when the text is replaced. */
export function useCaret(text: string, onChange: (text: string) => void) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(text.length)
  const [next, setNext] = useState<number | null>(null)
  useLayoutEffect(() => {
    if (next === null) return
    field.current?.focus()
    field.current?.setSelectionRange(next, next)
    setNext(null)
  }, [next])
  const replace = (value: string, at: number) => {
    onChange(value)
    setCaret(at)
    setNext(at)
  }
  const insert = (part: string) => {
    const at = field.current?.selectionStart ?? text.length
    replace(text.slice(0, at) + part + text.slice(at), at + part.length)
  }
  return { field, caret, setCaret, replace, insert }
}
