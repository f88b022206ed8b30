import { Textarea } from '@mantine/core'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useState } from 'react'
import { Loading } from '../../page/loading.tsx'
import { ProblemBoundary } from '../../page/problem-boundary.tsx'
import { MentionList, optionID } from '../mentions/mention-list.tsx'
import { useMentions } from '../mentions/use-mentions.ts'
import styles from './composer-field.module.css'
import { FieldTools } from './field-tools.tsx'
import { useCaret } from './use-caret.ts'

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
  const { field, caret, setCaret, replace, insert } = useCaret(text, onChange)
  const [isPreview, setIsPreview] = useState(false)
  const mentions = useMentions(text, caret, replace)
  const hasMentions = mentions.shown.length > 0
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
          autoFocus={props.autoFocus}
          value={text}
          aria-autocomplete="list"
          aria-controls={hasMentions ? mentions.listID : undefined}
          aria-activedescendant={hasMentions ? optionID(mentions.listID, mentions.active) : undefined}
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
