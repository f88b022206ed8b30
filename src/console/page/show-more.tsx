import { ActionIcon, type ActionIconProps, Button } from '@mantine/core'
import type { ComponentProps } from 'react'
import { Icon } from './icon.tsx'

type Props = { hasMore: boolean; isLoading: boolean; onMore: () => void }

/** A button below a list. It loads the next page of the list. */
export function ShowMore({ hasMore, isLoading, onMore }: Props) {
  if (!hasMore) return null
  return (
    <Button variant="default" mt="sm" loading={isLoading} onClick={onMore}>
      Show more
    </Button>
  )
}

type MoreButtonProps = ActionIconProps &
  Omit<ComponentProps<'button'>, 'color' | 'style'> & { 'aria-label': string }

/** The button with three dots that opens a menu. */
export function MoreButton(props: MoreButtonProps) {
  return (
    <ActionIcon {...props}>
      <Icon name="more" />
    </ActionIcon>
  )
}
