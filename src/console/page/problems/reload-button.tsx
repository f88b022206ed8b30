import { Button } from '@mantine/core'
import { useState } from 'react'
import { isScriptError } from './script-error.ts'

/**
 * A button that reloads the page. Shown only if a script could not be loaded, because a new version of the service may
 * have other scripts. Does not leave the page while the service cannot be reached.
 */
export function ReloadButton({ error, size }: { error: Error; size?: string }) {
  const [isLoading, setLoading] = useState(false)
  if (!isScriptError(error)) return null
  const reload = async () => {
    setLoading(true)
    const isReached = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReached) location.reload()
    else setLoading(false)
  }
  return (
    <Button {...(size && { size })} variant="default" loading={isLoading} onClick={reload}>
      Reload the page
    </Button>
  )
}
