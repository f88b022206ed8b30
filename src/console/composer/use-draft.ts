import { useState } from 'react'
import { readStored, writeStored } from './stored.ts'

/** A text that stays in this browser until it is sent. */
export function useDraft(place: string): [string, (text: string) => void] {
  const key = `skein:draft:${place}`
  const [text, setText] = useState(() => readStored(key) ?? '')
  const change = (value: string) => {
    setText(value)
    writeStored(key, value || null)
  }
  return [text, change]
}
