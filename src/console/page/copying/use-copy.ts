import { useState } from 'react'
import { copyText } from './copy-text.ts'

const shownMs = 2000

/** Returns a function that copies text, and the label of its button. The label briefly shows the outcome of a copy. */
export function useCopy(label: string, text: string): { label: string; copy: () => void } {
  const [outcome, setOutcome] = useState<string | null>(null)
  const copy = async () => {
    setOutcome((await copyText(text)) ? 'Copied' : 'Could not copy')
    setTimeout(() => setOutcome(null), shownMs)
  }
  return { label: outcome ?? label, copy }
}
