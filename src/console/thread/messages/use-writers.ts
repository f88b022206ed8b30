import { useEffect, useEffectEvent } from 'react'
import type { Pictured } from '../../page/avatar.tsx'

const mostFaces = 3

/** Tells who wrote last in a thread, in the order in which they first wrote. */
export function useWriters(
  messages: readonly { user: Pictured; event?: object | null | undefined }[],
  onWriters: (writers: readonly Pictured[]) => void,
): void {
  const written = messages.filter(({ event }) => !event).map(({ user }) => user)
  const latest = [...new Set(written.toReversed().map(({ id }) => id))].slice(0, mostFaces)
  const writers = latest
    .map((id) => written.find((user) => user.id === id))
    .filter((user) => user !== undefined)
  writers.sort((one, other) => written.indexOf(one) - written.indexOf(other))
  const tell = useEffectEvent(() => onWriters(writers))
  const key = JSON.stringify(writers.map(({ id, name, avatarURL }) => [id, name, avatarURL]))
  useEffect(() => {
    if (key) tell()
  }, [key])
}
