import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import { Icon } from './icon.tsx'

type Props = ActionIconProps & Omit<ComponentProps<'button'>, 'color' | 'style'> & { 'aria-label': string }

/** The button with three dots that opens a menu. */
export function MoreButton(props: Props) {
  return (
    <ActionIcon variant="subtle" color="gray" {...props}>
      <Icon name="more" />
    </ActionIcon>
  )
}
