import type { ClipboardEvent, DragEvent } from 'react'
import { readMarkdown, writeMarkdown } from '../field-text/field-markdown.ts'
import { type Change, type FieldText, partOf, plain } from '../field-text/field-text.ts'

/** The type of copied Markdown. Other programs get the text that the field shows. */
const markdownType = 'text/x-skein-markdown'

let dragged = plain('')

/** Copies the selection with its mentions. Without mentions, the browser copies. Returns what was copied. */
export function copySelection(event: ClipboardEvent<HTMLTextAreaElement>, shown: FieldText): Change | null {
  const { selectionStart: start, selectionEnd: end } = event.currentTarget
  const part = partOf(shown, start, end)
  if (part.mentions.length === 0) return null
  event.preventDefault()
  event.clipboardData.setData('text/plain', part.text)
  event.clipboardData.setData(markdownType, writeMarkdown(part))
  return { start, end, part: plain('') }
}

/** Returns the text of a clipboard if it has mentions. Otherwise, the browser pastes. */
export function copiedText(clipboard: DataTransfer): FieldText | null {
  const text = readMarkdown(clipboard.getData(markdownType) || clipboard.getData('text/plain'))
  return text.mentions.length > 0 ? text : null
}

export function keepDragged({ currentTarget }: DragEvent<HTMLTextAreaElement>, shown: FieldText): void {
  dragged = partOf(shown, currentTarget.selectionStart, currentTarget.selectionEnd)
}

/** Returns a text that was dropped, with its mentions if a field of this page was its source. */
export function draggedPart(dropped: FieldText): FieldText {
  return dropped.text === dragged.text ? dragged : dropped
}
