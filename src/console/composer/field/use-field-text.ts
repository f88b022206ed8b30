import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { type Change, changeBetween, plain, remainderOf, replacePart } from '../field-text/field-text.ts'
import { draggedPart } from './clipboard.ts'
import { type Draft, useWritten } from './use-written.ts'

/** A text field with mentions: what it shows, where its caret is, and how it is edited. */
export function useFieldText(draft: Draft) {
  const field = useRef<HTMLTextAreaElement>(null)
  const { shown, latest, edit, follow } = useWritten(draft)
  const [caret, setCaret] = useState(shown.text.length)
  const move = useMove(field)
  // What `type` types, until the browser has typed it.
  const typing = useRef<Change | null>(null)

  /** Replaces a part of the text so that the browser can undo it. Does nothing if the field does not have the focus. */
  const type = (change: Change) => {
    const { current } = field
    const { start, end, part } = change
    if (current && (current !== document.activeElement || (start === end && part.text === ''))) return
    typing.current = change
    current?.setSelectionRange(start, end)
    // Only this deprecated command keeps the undo history of the field.
    if (current) document.execCommand(part.text === '' ? 'delete' : 'insertText', false, part.text)
    if (typing.current === null) return
    typing.current = null
    edit(change)
    move(start + part.text.length)
  }

  const insert = (text: string) => {
    const at = field.current ?? { selectionStart: shown.text.length, selectionEnd: shown.text.length }
    field.current?.focus()
    type({ start: at.selectionStart, end: at.selectionEnd, part: plain(text) })
  }

  /** Marks the selection as code. Without a selection, the caret is in the code. */
  const markCode = () => {
    const { current } = field
    if (!current) return
    const { selectionStart: start, selectionEnd: end } = current
    current.focus()
    type({ start, end, part: plain(codeOf(latest().text, start, end)) })
    if (start === end) move(start + 1)
  }

  /** Call this after each edit in the field. Returns whether the person made it. */
  const onInput = ({ currentTarget, nativeEvent }: FormEvent<HTMLTextAreaElement>): boolean => {
    const { value, selectionEnd } = currentTarget
    const inputType = nativeEvent instanceof InputEvent ? nativeEvent.inputType : ''
    const [before, typed] = [latest(), typing.current]
    typing.current = null
    setCaret(selectionEnd)
    const isTyped = typed !== null && replacePart(before, typed).text === value
    const change = isTyped ? typed : changeBetween(before.text, value, selectionEnd)
    const isDropped = inputType === 'insertFromDrop'
    if (inputType.startsWith('history')) follow(change, value, inputType === 'historyUndo')
    else edit(isDropped ? { ...change, part: draggedPart(change.part) } : change)
    // The browser selects the text that it restores, and the next letter would replace this text.
    if (inputType === 'historyUndo') move(selectionEnd)
    // The rest of a mention from which something was deleted is deleted too, for example by the keyboard of a phone.
    const rest = inputType.startsWith('delete') && remainderOf(before.mentions, change)
    if (rest) type({ ...rest, part: plain('') })
    return !isTyped
  }

  const focusEnd = () => move(Number.MAX_SAFE_INTEGER)
  return { field, shown, latest, caret, setCaret, type, insert, markCode, move, focusEnd, onInput }
}

/** Returns a function that focuses the field and moves its caret, after the field shows the present text. */
function useMove(field: { readonly current: HTMLTextAreaElement | null }) {
  const [next, setNext] = useState<number | null>(null)
  useLayoutEffect(() => {
    // Without this, the caret is before the text if the field has the focus when it is mounted.
    const { current } = field
    if (current === document.activeElement)
      current?.setSelectionRange(current.value.length, current.value.length)
  }, [field])
  useLayoutEffect(() => {
    if (next === null) return
    field.current?.focus()
    const at = Math.min(next, field.current?.value.length ?? 0)
    field.current?.setSelectionRange(at, at)
    setNext(null)
  }, [field, next])
  return setNext
}

/** Returns a part of a text as Markdown code: inline in a line, and as a block of several lines (CommonMark 4.5, 6.1). */
function codeOf(text: string, start: number, end: number): string {
  const part = text.slice(start, end)
  const longest = Math.max(0, ...Array.from(part.matchAll(/`+/g), ([run]) => run.length))
  if (!part.includes('\n')) {
    const ticks = '`'.repeat(longest + 1)
    const gap = /^`|`$/.test(part) ? ' ' : ''
    return ticks + gap + part + gap + ticks
  }
  const fence = '`'.repeat(Math.max(3, longest + 1))
  const [before, after] = [/[^\n]$/.test(text.slice(0, start)), /^[^\n]/.test(text.slice(end))]
  return `${before ? '\n' : ''}${fence}\n${part}\n${fence}${after ? '\n' : ''}`
}
