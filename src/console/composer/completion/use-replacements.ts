import { useLayoutEffect, useRef } from 'react'
import { type Change, type FieldText, plain, replacePart } from '../field-text/field-text.ts'

/** What a completion needs of the field. */
export type CompletedField = {
  shown: FieldText
  caret: number
  latest: () => FieldText
  /** Replaces a part of the text so that the browser can undo it. */
  type: (change: Change) => void
}

type Replacement = Change & { name: string; typed: string; before: FieldText; after: FieldText }

/**
 * Replaces what a person has typed: a whole name by a mention, `:tada:` by its emoji. The person can turn it back into
 * text. The same name then stays text in this message.
 */
export function useReplacements({ shown, latest, type }: CompletedField) {
  const last = useRef<Replacement | null>(null)
  const refused = useRef(new Set<string>())
  useLayoutEffect(() => {
    const { current } = last
    if (current && isEqual(current.before, shown)) {
      refused.current.add(current.name)
    }
    if (shown.text !== '') return
    last.current = null
    refused.current.clear()
  }, [shown])
  return {
    replace: (name: string, change: Change) => {
      const before = latest()
      const typed = before.text.slice(change.start, change.end)
      last.current = { ...change, name, typed, before, after: replacePart(before, change) }
      type(change)
    },
    /** Turns the text before the caret back into what was typed if it was just replaced. Returns whether it did. */
    revert: (caret: number): boolean => {
      const { current } = last
      if (!current || !isEqual(current.after, shown)) return false
      if (caret !== current.start + current.part.text.length) return false
      type({ start: current.start, end: caret, part: plain(current.typed) })
      return true
    },
    isRefused: (name: string) => refused.current.has(name),
    refuse: (name: string) => refused.current.add(name),
  }
}

export type Replacements = ReturnType<typeof useReplacements>

function isEqual(one: FieldText, other: FieldText): boolean {
  return one.text === other.text && one.mentions.length === other.mentions.length
}
