import { ActionIcon, Button, Group } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { EmojiPopover } from '../../emoji/emoji-popover.tsx'
import { Icon } from '../../page/icon.tsx'

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

type ToolButtonProps = { label: string; isOn?: boolean; onClick: () => void; children: ReactNode } & Pick<
  ComponentProps<'button'>,
  'ref'
>

/** An icon button below a text field. A popover passes it more props. */
export function ToolButton({ label, isOn, ...props }: ToolButtonProps) {
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
