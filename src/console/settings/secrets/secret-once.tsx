import { Paper } from '@mantine/core'
import { useState } from 'react'
import { CopyField } from '../../page/copying.tsx'

type Props = { label: string; value: string }

/** A secret that the service shows only once. */
export function SecretOnce({ label, value }: Props) {
  return (
    <Paper withBorder p="sm" role="group" aria-label={label}>
      <CopyField label={label} value={value} description="Copy it now. It will not be shown again." />
    </Paper>
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
