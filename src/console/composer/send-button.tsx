import { ActionIcon, Kbd } from '@mantine/core'
import { Icon } from '../page/icon.tsx'
import styles from './composer.module.css'

/** Sends the message of the form. With a keyboard and a wide window, names the key that does the same. */
export function SendButton({ isDisabled }: { isDisabled: boolean }) {
  return (
    <>
      <span className={styles.hint}>
        <Kbd size="xs">Enter</Kbd> to send
      </span>
      <ActionIcon
        type="submit"
        variant="filled"
        color="indigo"
        className={styles.send ?? ''}
        disabled={isDisabled}
        aria-label="Send"
        title="Send"
      >
        <Icon name="arrowUp" />
      </ActionIcon>
    </>
  )
}
