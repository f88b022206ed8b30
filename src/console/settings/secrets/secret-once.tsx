import { Box, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { CopyButton, copyName } from '../../page/copying.tsx'
import { Icon } from '../../page/icon.tsx'
import styles from './secret-once.module.css'

type Props = { label: string; value: string }

/** A secret that the service shows only once. To copy it is the next step, so its button is the main one. */
export function SecretOnce({ label, value }: Props) {
  const id = useId()
  return (
    <Box role="group" aria-label={label}>
      <Text component="label" htmlFor={id} size="sm" fw={500}>
        {label}
      </Text>
      <Text id={`${id}-hint`} size="sm" c="dimmed">
        Copy it now. It will not be shown again.
      </Text>
      <div className={styles.secret}>
        <input
          id={id}
          className={styles.value}
          readOnly
          value={value}
          aria-describedby={`${id}-hint`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton
          variant="filled"
          size="xs"
          leftSection={<Icon name="copy" size={16} />}
          text={value}
          aria-label={copyName(label)}
        />
      </div>
    </Box>
  )
}

/** Holds whether the form for a new object is open, and the secret of the object that was just created. */
export function useNewSecret(onCreated: () => void) {
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  return {
    isAdding,
    secret,
    add: () => {
      setSecret(null)
      setAdding(true)
    },
    cancel: () => setAdding(false),
    created: (value: string) => {
      setSecret(value)
      setAdding(false)
      onCreated()
    },
  }
}
