import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect } from 'react'

const nameOf = (id: string) => `skein-on-screen-${id}`

/** Lets other tabs see which thread or group this tab shows while it is on screen. */
export function useOnScreen(id: string | undefined): void {
  const isVisible = useDocumentVisibility() === 'visible'
  useEffect(() => {
    if (!isVisible || id === undefined) return
    const ended = new AbortController()
    const { signal } = ended
    const untilEnd = () => new Promise((resolve) => signal.addEventListener('abort', resolve))
    // Browsers have locks and notifications only on https and localhost. A closed tab loses its locks.
    navigator.locks?.request(nameOf(id), { mode: 'shared', signal }, untilEnd).catch(() => undefined)
    return () => ended.abort()
  }, [id, isVisible])
}

/** Returns whether a tab shows one of these threads and groups. */
export async function isOnScreen(ids: readonly string[]): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return ids.some((id) => held.some(({ name }) => name === nameOf(id)))
}
