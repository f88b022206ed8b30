import { useState } from 'react'

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

/** Copies text. Returns false if the browser does not allow it. */
async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copySelected(text)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}

/** Copies without the clipboard API, which browsers provide only on https and localhost. */
function copySelected(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
