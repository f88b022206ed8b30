import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

type Props = { value: string; name: string }

/** Copies a text. Without https, a browser can refuse. Then the person selects the text. */
export function CopyButton({ value, name }: Props) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 })
  return (
    <Button variant="default" flex="none" onClick={() => copy(value)} aria-label={`Copy ${name}`}>
      <span aria-live="polite">{error ? 'Select and copy it' : copied ? 'Copied' : 'Copy'}</span>
    </Button>
  )
}
