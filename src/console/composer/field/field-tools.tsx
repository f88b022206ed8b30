import { ActionIcon, Button } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { EmojiPopover } from '../../emoji/emoji-popover.tsx'
import { Icon } from '../../page/icon.tsx'
import styles from './composer-field.module.css'

type Props = {
  tools: ReactNode
  actions: ReactNode
  isPreview: boolean
  onPreview: (isPreview: boolean) => void
  onEmoji: (emoji: string) => void
  onMention: () => void
  onCode: () => void
}

/** What is below a message field. The tools for the text are hidden during the preview. */
export function FieldTools({ tools, actions, isPreview, onPreview, ...props }: Props) {
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <div className={styles.bar}>
      <div className={styles.tools}>
        {tools}
        <EmojiPopover isOpen={isChoosing} onClose={() => setIsChoosing(false)} onSelect={props.onEmoji}>
          <ToolButton label="Emoji" isOn={isChoosing} onClick={() => setIsChoosing(!isChoosing)}>
            <Icon name="emoji" />
          </ToolButton>
        </EmojiPopover>
        {!isPreview && (
          <>
            <ToolButton label="Mention" onClick={props.onMention}>
              <Icon name="mentions" />
            </ToolButton>
            <ToolButton label="Code" onClick={props.onCode}>
              <Icon name="code" />
            </ToolButton>
          </>
        )}
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
      </div>
      <div className={styles.actions}>{actions}</div>
    </div>
  )
}

type ToolButtonProps = { label: string; isOn?: boolean; onClick: () => void; children: ReactNode } & Pick<
  ComponentProps<'button'>,
  'ref'
>

/** An icon button below a text field. A popover passes it more props. */
export function ToolButton({ label, isOn, ...props }: ToolButtonProps) {
  return <ActionIcon {...props} c="dimmed" aria-label={label} title={label} aria-expanded={isOn} />
}
