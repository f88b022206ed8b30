import { Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, type Ref, useImperativeHandle, useState } from 'react'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { LoadingBoundary } from '../../page/loading-boundary.tsx'
import { ProblemBoundary } from '../../page/problems/problem-boundary.tsx'
import { MentionList, optionID } from '../mentions/mention-list.tsx'
import { useMentions } from '../mentions/use-mentions.ts'
import styles from './composer-field.module.css'
import { FieldTools } from './field-tools.tsx'
import { copiedFiles } from './incoming-files.tsx'
import { useCaret } from './use-caret.ts'

const Preview = lazyPart(() => import('./preview.tsx'))

export type FieldHandle = {
  /** Leaves the preview, and moves the caret to the end of the text. */
  write: () => void
  /** Replaces each @ that is followed by a whole name with a mention, and returns the text. */
  complete: (text: string) => string
}

type Props = {
  ref?: Ref<FieldHandle>
  label: string
  placeholder?: string
  text: string
  onChange: (text: string) => void
  onSubmit: () => void
  onEscape?: (() => void) | undefined
  /** Called for the arrow up key in an empty field. */
  onArrowUp?: (() => void) | undefined
  onFiles?: (files: FileList) => void
  tools?: ReactNode
  actions: ReactNode
  autoFocus?: boolean | undefined
  minRows?: number | undefined
}

/** A field for Markdown, with mentions, emoji and a preview. */
export function ComposerField({
  ref,
  label,
  text,
  onChange,
  onSubmit,
  onEscape,
  onArrowUp,
  onFiles,
  ...props
}: Props) {
  const { field, caret, setCaret, replace, retype, insert, move, focusEnd } = useCaret(text, onChange)
  const [isPreview, setIsPreview] = useState(false)
  const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false })
  const mentions = useMentions({ text, caret, onComplete: replace, onRetype: retype, onMove: move, onSubmit })
  useImperativeHandle(ref, () => ({
    write: () => {
      setIsPreview(false)
      focusEnd()
    },
    complete: mentions.complete,
  }))
  const hasMentions = mentions.shown.length > 0
  const onKeyDown = (event: KeyboardEvent) => {
    // Safari reports the end of a composition before the key that ended it. The event of this key has key code 229.
    if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229) return
    // The keyboard of a touch screen has no Shift+Enter.
    const isSend = event.key === 'Enter' && !event.shiftKey && (!isTouch || event.ctrlKey || event.metaKey)
    if (mentions.onKey(event.key, isSend)) return event.preventDefault()
    if (event.key === 'Escape' && onEscape) onEscape()
    else if (event.key === 'ArrowUp' && text === '' && onArrowUp) onArrowUp()
    else if (isSend) onSubmit()
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.box}>
      <MentionList
        id={mentions.listID}
        options={mentions.shown}
        active={mentions.active}
        notice={mentions.notice}
        onChoose={mentions.choose}
      />
      {isPreview ? (
        <div className={styles.preview}>
          <ProblemBoundary>
            <LoadingBoundary>
              <Preview text={text} />
            </LoadingBoundary>
          </ProblemBoundary>
        </div>
      ) : (
        <Textarea
          ref={field}
          variant="unstyled"
          classNames={{ input: styles.input ?? '' }}
          autosize
          minRows={props.minRows}
          maxRows={10}
          aria-label={label}
          data-message-field
          placeholder={props.placeholder}
          enterKeyHint={isTouch ? 'enter' : 'send'}
          autoFocus={props.autoFocus}
          // When a dialog opens, it moves the focus to the element with this attribute.
          data-autofocus={props.autoFocus || undefined}
          value={text}
          aria-autocomplete="list"
          // Otherwise, Escape would close the dialog around the field instead of the list.
          data-mantine-stop-propagation={hasMentions || mentions.notice !== null || undefined}
          aria-controls={hasMentions ? mentions.listID : undefined}
          aria-activedescendant={hasMentions ? optionID(mentions.listID, mentions.active) : undefined}
          onChange={({ currentTarget, nativeEvent }) => {
            const { value, selectionStart } = currentTarget
            onChange(value)
            setCaret(selectionStart)
            if (isOneCharacter(nativeEvent)) mentions.onType(value, selectionStart)
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onBlur={() => setCaret(0)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = copiedFiles(event.clipboardData)
            if (!files || !onFiles) return
            event.preventDefault()
            onFiles(files)
          }}
        />
      )}
      <FieldTools
        tools={props.tools}
        actions={props.actions}
        isPreview={isPreview}
        onPreview={setIsPreview}
        onEmoji={insert}
      />
    </div>
  )
}

/** Returns whether a person has typed one character or a line break. */
function isOneCharacter(event: Event): boolean {
  if (!(event instanceof InputEvent)) return false
  return (
    event.inputType === 'insertLineBreak' || (event.inputType === 'insertText' && event.data?.length === 1)
  )
}
