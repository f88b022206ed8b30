import { Button, Group, Textarea } from '@mantine/core'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { EmojiPopover } from '../emoji/emoji-popover.tsx'
import { Icon } from '../page/icon.tsx'
import { Loading } from '../page/loading.tsx'
import { ProblemBoundary } from '../page/problem-boundary.tsx'
import styles from './composer-field.module.css'
import { MentionList, optionID } from './mentions/mention-list.tsx'
import { useMentions } from './mentions/use-mentions.ts'
import { ToolButton } from './tool-button.tsx'

const Preview = lazy(() => import('./preview.tsx'))

type Props = {
  label: string
  placeholder?: string
  text: string
  onChange: (text: string) => void
  onSubmit: () => void
  onEscape?: (() => void) | undefined
  /** The arrow up key in an empty field. */
  onArrowUp?: (() => void) | undefined
  onFiles?: (files: FileList) => void
  tools?: ReactNode
  actions: ReactNode
  autoFocus?: boolean
}

/** A field for Markdown, with mentions, emoji and a preview. */
export function ComposerField({
  label,
  text,
  onChange,
  onSubmit,
  onEscape,
  onArrowUp,
  onFiles,
  ...props
}: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(text.length)
  const [nextCaret, setNextCaret] = useState<number | null>(null)
  const [isPreview, setIsPreview] = useState(false)
  const [isChoosingEmoji, setIsChoosingEmoji] = useState(false)
  const replace = (value: string, caret: number) => {
    onChange(value)
    setCaret(caret)
    setNextCaret(caret)
  }
  const mentions = useMentions(text, caret, replace)
  useLayoutEffect(() => {
    if (nextCaret === null) return
    field.current?.focus()
    field.current?.setSelectionRange(nextCaret, nextCaret)
    setNextCaret(null)
  }, [nextCaret])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (mentions.onKey(event.key)) return event.preventDefault()
    if (event.key === 'Escape' && onEscape) onEscape()
    else if (event.key === 'ArrowUp' && text === '' && onArrowUp) onArrowUp()
    else if (event.key === 'Enter' && !event.shiftKey) onSubmit()
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.box}>
      <MentionList
        id={mentions.listID}
        options={mentions.shown}
        active={mentions.active}
        onChoose={mentions.choose}
      />
      {isPreview ? (
        <div className={styles.preview}>
          <ProblemBoundary>
            <Suspense fallback={<Loading />}>
              <Preview text={text} />
            </Suspense>
          </ProblemBoundary>
        </div>
      ) : (
        <Textarea
          ref={field}
          variant="unstyled"
          classNames={{ input: styles.input ?? '' }}
          autosize
          maxRows={10}
          aria-label={label}
          placeholder={props.placeholder}
          // The person has just chosen to write here.
          autoFocus={props.autoFocus}
          value={text}
          aria-autocomplete="list"
          aria-controls={mentions.shown.length > 0 ? mentions.listID : undefined}
          aria-activedescendant={
            mentions.shown.length > 0 ? optionID(mentions.listID, mentions.active) : undefined
          }
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value)
            setCaret(currentTarget.selectionStart)
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onBlur={() => setCaret(0)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const { files } = event.clipboardData
            if (files.length === 0 || !onFiles) return
            event.preventDefault()
            onFiles(files)
          }}
        />
      )}
      <Group justify="space-between" wrap="nowrap" gap="xs" px={4} pb={4}>
        <Group gap={2} wrap="nowrap">
          {props.tools}
          <EmojiPopover
            isOpen={isChoosingEmoji}
            onClose={() => setIsChoosingEmoji(false)}
            onSelect={(emoji) => {
              const at = field.current?.selectionStart ?? text.length
              replace(text.slice(0, at) + emoji + text.slice(at), at + emoji.length)
            }}
          >
            <ToolButton
              label="Emoji"
              isOn={isChoosingEmoji}
              onClick={() => setIsChoosingEmoji(!isChoosingEmoji)}
            >
              <Icon name="emoji" />
            </ToolButton>
          </EmojiPopover>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            c="dimmed"
            aria-pressed={isPreview}
            onClick={() => setIsPreview(!isPreview)}
          >
            {isPreview ? 'Write' : 'Preview'}
          </Button>
        </Group>
        <Group gap="xs" wrap="nowrap">
          {props.actions}
        </Group>
      </Group>
    </div>
  )
}
