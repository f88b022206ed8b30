import { Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { EmojiPopover } from '../../emoji/emoji-popover.tsx'
import { Icon } from '../../page/icon.tsx'
import { ToolButton } from './tool-button.tsx'

type Props = {
  tools: ReactNode
  actions: ReactNode
  isPreview: boolean
  onPreview: (isPreview: boolean) => void
  onEmoji: (emoji: string) => void
}

export function FieldTools({ tools, actions, isPreview, onPreview, onEmoji }: Props) {
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" px={4} pb={4}>
      <Group gap={2} wrap="nowrap">
        {tools}
        <EmojiPopover isOpen={isChoosing} onClose={() => setIsChoosing(false)} onSelect={onEmoji}>
          <ToolButton label="Emoji" isOn={isChoosing} onClick={() => setIsChoosing(!isChoosing)}>
            <Icon name="emoji" />
          </ToolButton>
        </EmojiPopover>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          c="dimmed"
          aria-pressed={isPreview}
          onClick={() => onPreview(!isPreview)}
        >
          {isPreview ? 'Write' : 'Preview'}
        </Button>
      </Group>
      <Group gap="xs" wrap="nowrap">
        {actions}
      </Group>
    </Group>
  )
}
