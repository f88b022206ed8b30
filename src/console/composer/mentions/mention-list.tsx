import { Text } from '@mantine/core'
import styles from './mention-list.module.css'
import type { MentionOption } from './mention-options.ts'

type Props = {
  id: string
  options: readonly MentionOption[]
  active: number
  onChoose: (option: MentionOption) => void
}

/** The users and groups that complete a mention. The focus stays in the text. */
export function MentionList({ id, options, active, onChoose }: Props) {
  if (options.length === 0) return null
  return (
    <div className={styles.list} id={id} role="listbox" aria-label="Users and groups">
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: The keys are those of the text field.
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
            {option.kind}
          </Text>
        </div>
      ))}
    </div>
  )
}

export function optionID(listID: string, index: number): string {
  return `${listID}-${index}`
}
