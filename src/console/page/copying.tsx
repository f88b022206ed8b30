import { Button, type ButtonProps, Group, Menu, TextInput } from '@mantine/core'
import { useState } from 'react'

const shownMs = 2000

/** Returns a function that copies text, and the label of its button. For two seconds, the label is the outcome of a copy. */
export function useCopy(label: string, text: string) {
  const [outcome, setOutcome] = useState<string | null>(null)
  const copy = async () => {
    setOutcome((await copyText(text)) ? 'Copied' : 'Could not copy')
    setTimeout(() => setOutcome(null), shownMs)
  }
  return { label: outcome ?? label, outcome, copy }
}

/** Copies text. Returns false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
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

type Props = ButtonProps & { label?: string; text: string }

export function CopyButton({ label = 'Copy', text, ...props }: Props) {
  const state = useCopy(label, text)
  return (
    <Button variant="default" flex="none" {...props} onClick={state.copy}>
      <span aria-live="polite">{state.label}</span>
    </Button>
  )
}

/** Returns the accessible name of the button that copies a field, such as "Copy the client ID". */
export function copyName(label: string): string {
  return `Copy the ${label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())}`
}

type CopyFieldProps = { label: string; value: string; description?: string }

export function CopyField({ label, value, description }: CopyFieldProps) {
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <TextInput
        flex={1}
        miw={0}
        readOnly
        label={label}
        description={description}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={value} aria-label={copyName(label)} />
    </Group>
  )
}

/** A menu item that copies text. The menu stays open to show whether the copy succeeded. */
export function CopyItem({ label, text }: { label: string; text: string }) {
  const state = useCopy(label, text)
  return (
    <Menu.Item closeMenuOnClick={false} onClick={state.copy}>
      <span aria-live="polite">{state.label}</span>
    </Menu.Item>
  )
}
