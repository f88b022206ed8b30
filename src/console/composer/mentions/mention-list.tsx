import { Text } from '@mantine/core'
import type { DirectoryEntry } from '../../people/directory.ts'
import styles from './mention-list.module.css'

type Props = {
  id: string
  options: readonly DirectoryEntry[]
  active: number
  /** What is shown if there are no options. */
  notice: string | null
  onChoose: (option: DirectoryEntry) => void
}

const kinds = { person: 'Person', app: 'App', webhook: 'Webhook', group: 'Group' }

/** The users and groups that can complete a mention. The focus stays in the text field. */
export function MentionList({ id, options, active, notice, onChoose }: Props) {
  return (
    <>
      <Notice text={notice} />
      {options.length > 0 && (
        <div className={styles.list} id={id} role="listbox" aria-label="Users and groups">
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: The text field handles the keys.
            // biome-ignore lint/a11y/useFocusableInteractive: The text field names the active option.
            <div
              key={option.id}
              id={optionID(id, index)}
              className={styles.option}
              role="option"
              aria-selected={index === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(option)}
            >
              <span>{option.name}</span>
              <Text span size="xs" c="dimmed">
                {kinds[option.kind]}
              </Text>
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
