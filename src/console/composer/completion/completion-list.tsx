import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './completion-list.module.css'

type Props<O> = {
  id: string
  label: string
  options: readonly O[]
  active: number
  /** What is shown if there are no options. */
  notice?: string | null
  onChoose: (option: O) => void
  children: (option: O) => ReactNode
}

/** What can complete the text before the caret. The focus stays in the text field. */
export function CompletionList<O extends { id: string }>({ id, options, notice = null, ...props }: Props<O>) {
  return (
    <>
      <Notice text={notice} />
      {options.length > 0 && (
        <div className={styles.list} id={id} role="listbox" aria-label={props.label}>
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: The text field handles the keys.
            // biome-ignore lint/a11y/useFocusableInteractive: The text field names the active option.
            <div
              key={option.id}
              id={optionID(id, index)}
              className={styles.option}
              role="option"
              aria-selected={index === props.active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => props.onChoose(option)}
            >
              {props.children(option)}
            </div>
          ))}
        </div>
      )}
    </>
  )
}

/** Always rendered. Otherwise, a screen reader would not announce new text. */
function Notice({ text }: { text: string | null }) {
  return (
    <div role="status">
      {text !== null && (
        <Text key={text} className={`${styles.list} ${styles.notice}`} size="sm" c="dimmed">
          {text}
        </Text>
      )}
    </div>
  )
}

export function optionID(listID: string, index: number): string {
  return `${listID}-${index}`
}
