import { Menu } from '@mantine/core'
import { useState } from 'react'
import { copyText } from './copy-text.ts'

/** An item of a menu that copies a text, and says so. */
export function CopyItem({ label, text }: { label: string; text: string }) {
  const [result, setResult] = useState<'Copied' | 'The browser does not allow copying' | null>(null)
  const copy = async () => {
    setResult((await copyText(text)) ? 'Copied' : 'The browser does not allow copying')
    setTimeout(() => setResult(null), 2000)
  }
  return (
    <Menu.Item closeMenuOnClick={false} onClick={copy}>
      <span aria-live="polite">{result ?? label}</span>
    </Menu.Item>
  )
}
