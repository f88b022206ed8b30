import { useLayoutEffect, useRef, useState } from 'react'
import { readMarkdown, writeMarkdown } from '../field-text/field-markdown.ts'
import { type Change, type FieldText, replacePart } from '../field-text/field-text.ts'
import { addState, type History, startHistory, stepTo } from '../field-text/history.ts'

export type Draft = {
  markdown: string
  onChange: (markdown: string) => void
  /** The present names of mentioned users and groups, by ID. */
  names?: ReadonlyMap<string, string> | undefined
}

/** What a field shows for a Markdown text. Each edit changes the text. */
export function useWritten({ markdown, onChange, names }: Draft) {
  const [written, setWritten] = useState(() => ({ markdown, shown: readMarkdown(markdown, names) }))
  // The draft was sent or restored, or another tab has changed it.
  if (written.markdown !== markdown) setWritten({ markdown, shown: readMarkdown(markdown, names) })
  const { shown } = written
  // Several edits can follow each other before the field is rendered again.
  const latest = useRef({ shown, history: startHistory(shown) })
  useLayoutEffect(() => {
    if (latest.current.shown !== shown) latest.current = { shown, history: startHistory(shown) }
  }, [shown])
  const keep = (next: FieldText, history: History) => {
    latest.current = { shown: next, history }
    const nextMarkdown = writeMarkdown(next)
    setWritten({ markdown: nextMarkdown, shown: next })
    onChange(nextMarkdown)
  }
  return {
    shown,
    latest: () => latest.current.shown,
    edit: (change: Change) => {
      const next = replacePart(latest.current.shown, change)
      keep(next, addState(latest.current.history, next))
    },
    /** Follows the browser, which has undone or repeated an edit. */
    follow: (change: Change, text: string, isUndo: boolean) => {
      const { shown: before, history } = latest.current
      const step = stepTo(history, text, before, isUndo)
      keep(step?.states[step.at] ?? replacePart(before, change), step ?? history)
    },
  }
}
