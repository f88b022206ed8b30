import { useState } from 'react'

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
