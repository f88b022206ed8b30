import { Button, type ButtonProps } from '@mantine/core'
import { useCopy } from './use-copy.ts'

type Props = ButtonProps & { label?: string; text: string }

export function CopyButton({ label = 'Copy', text, ...props }: Props) {
  const state = useCopy(label, text)
  return (
    <Button variant="default" flex="none" {...props} onClick={state.copy}>
      <span aria-live="polite">{state.label}</span>
    </Button>
  )
}
