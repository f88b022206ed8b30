import { ActionIcon } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'

type Props = { label: string; isOn?: boolean; onClick: () => void; children: ReactNode } & Pick<
  ComponentProps<'button'>,
  'ref'
>

/** An icon button below a text field. A popover passes it more props. */
export function ToolButton({ label, isOn, ...props }: Props) {
  return (
    <ActionIcon
      {...props}
      variant="subtle"
      color="gray"
      c="dimmed"
      aria-label={label}
      title={label}
      aria-expanded={isOn}
    />
  )
}
