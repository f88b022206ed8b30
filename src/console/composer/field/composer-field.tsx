import { Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, type Ref, useImperativeHandle, useState } from 'react'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { LoadingBoundary } from '../../page/loading-boundary.tsx'
import { ProblemBoundary } from '../../page/problems/problem-boundary.tsx'
import { plain } from '../field-text/field-text.ts'
import { copiedText, copySelection, keepDragged } from './clipboard.ts'
import styles from './composer-field.module.css'
import { FieldTools } from './field-tools.tsx'
import { copiedFiles } from './incoming-files.tsx'
import { MentionOverlay } from './mention-overlay.tsx'
import { CompletionLists, isOneCharacter, useCompletions } from './use-completions.tsx'
import { useFieldText } from './use-field-text.ts'
import { useSelection } from './use-selection.ts'

const Preview = lazyPart(() => import('./preview.tsx'))

export type FieldHandle = {
  /** Leaves the preview, and moves the caret to the end of the text. */
  write: () => void
  /** Completes the names of users, groups and emoji that are still text, and returns the Markdown. */
  complete: () => string
}

type Props = {
  ref?: Ref<FieldHandle>
  label: string
  placeholder?: string
  /** Markdown. The field shows the names of mentioned users and groups. */
  text: string
  onChange: (text: string) => void
  onSubmit: () => void
  onEscape?: (() => void) | undefined
  /** Called for the arrow up key in an empty field. */
  onArrowUp?: (() => void) | undefined
  onFiles?: (files: FileList) => void
  /** The IDs of the thread, or of its recipients, whose users and groups are offered first. */
  near: readonly string[]
  /** The present names of mentioned users and groups, by ID. */
  names?: ReadonlyMap<string, string>
  /** What is between the field and its tools, such as the files of the message. */
  files?: ReactNode
  tools?: ReactNode
  actions: ReactNode
  autoFocus?: boolean | undefined
  minRows?: number | undefined
}

/** A field for Markdown, with mentions, emoji and a preview. */
export function ComposerField({ ref, label, text, onSubmit, onEscape, onArrowUp, onFiles, ...props }: Props) {
  const field = useFieldText({ markdown: text, onChange: props.onChange, names: props.names })
  const { shown, latest, type } = field
  const { onDeleteKey, ...selection } = useSelection(latest, field.setCaret)
  const [isPreview, setIsPreview] = useState(false)
  const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false })
  const completions = useCompletions(field, { near: props.near, onSubmit })
  useImperativeHandle(ref, () => ({
    write: () => {
      setIsPreview(false)
      field.focusEnd()
    },
    complete: completions.complete,
  }))
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Safari reports the end of a composition before the key that ended it. The event of this key has key code 229.
    if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229) return
    // The keyboard of a touch screen has no Shift+Enter.
    const isSend = event.key === 'Enter' && !event.shiftKey && (!isTouch || event.ctrlKey || event.metaKey)
    if (completions.onKey(event.key, isSend)) return event.preventDefault()
    onDeleteKey(event)
    if (event.key === 'Escape' && onEscape) onEscape()
    // Outside of the field, the keys are shortcuts.
    else if (event.key === 'Escape' && !event.shiftKey) event.currentTarget.blur()
    else if (event.key === 'ArrowUp' && text === '' && onArrowUp) onArrowUp()
    else if (isSend) onSubmit()
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.box} data-tall={props.minRows !== undefined || undefined}>
      <CompletionLists completions={completions} />
      {isPreview ? (
        <div className={styles.preview}>
          <ProblemBoundary>
            <LoadingBoundary>
              <Preview text={text} />
            </LoadingBoundary>
          </ProblemBoundary>
        </div>
      ) : (
        <div className={styles.text} data-placeholder={shown.text === '' ? props.placeholder : undefined}>
          {shown.mentions.length > 0 && <MentionOverlay shown={shown} field={field.field} />}
          <Textarea
            {...selection}
            {...completions.props}
            ref={field.field}
            variant="unstyled"
            classNames={{ input: styles.input ?? '' }}
            autosize
            minRows={props.minRows}
            maxRows={10}
            aria-label={label}
            data-message-field
            data-mentions={shown.mentions.length > 0 || undefined}
            enterKeyHint={isTouch ? 'enter' : 'send'}
            autoFocus={props.autoFocus}
            // When a dialog opens, it moves the focus to the element with this attribute.
            data-autofocus={props.autoFocus || undefined}
            value={shown.text}
            // Unlike onChange, React also calls this if an edit leaves the same letters.
            onInput={(event) => {
              if (field.onInput(event) && isOneCharacter(event.nativeEvent))
                completions.onType(event.currentTarget.selectionStart)
            }}
            onBlur={() => field.setCaret(0)}
            onKeyDown={onKeyDown}
            onCopy={(event) => void copySelection(event, shown)}
            onCut={(event) => {
              const change = copySelection(event, shown)
              if (change) type(change)
            }}
            onDragStart={(event) => keepDragged(event, shown)}
            onPaste={(event) => {
              const { selectionStart: start, selectionEnd: end } = event.currentTarget
              const files = onFiles && copiedFiles(event.clipboardData)
              const part = copiedText(event.clipboardData)
              if (!files && !part) return
              event.preventDefault()
              if (files) onFiles(files)
              else type({ start, end, part: part ?? plain('') })
            }}
          />
        </div>
      )}
      {props.files && <div className={styles.files}>{props.files}</div>}
      <FieldTools
        tools={props.tools}
        actions={props.actions}
        isPreview={isPreview}
        onPreview={(shows) => {
          setIsPreview(shows)
          if (!shows) field.focusEnd()
        }}
        onEmoji={field.insert}
        onMention={() => field.insert(isAfterWord(field.field.current) ? ' @' : '@')}
        onCode={field.markCode}
      />
    </div>
  )
}

/** Returns whether the caret is after a letter. There, an @ would not begin a mention. */
function isAfterWord(field: HTMLTextAreaElement | null): boolean {
  return field !== null && /\S$/.test(field.value.slice(0, field.selectionStart))
}
