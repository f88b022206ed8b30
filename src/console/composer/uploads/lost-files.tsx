import { CloseButton, Group, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { attempt } from '../../session/browser-storage.ts'
import { useViewer } from '../../session/viewer.ts'

/** Counts the files that were attached before a reload, and were not attached again. The tab stores only their number. */
export function useLostFiles(storageKey: string, attached: number) {
  const key = `skein:files:${useViewer().id}:${storageKey}`
  const [count, setCount] = useState(() =>
    Math.max(0, Number(attempt(() => sessionStorage.getItem(key)) ?? 0) - attached),
  )
  const before = useRef(attached)
  useEffect(() => {
    const added = Math.max(0, attached - before.current)
    before.current = attached
    setCount((lost) => Math.max(0, lost - added))
  }, [attached])
  const total = count + attached
  useEffect(() => {
    attempt(() => (total > 0 ? sessionStorage.setItem(key, `${total}`) : sessionStorage.removeItem(key)))
  }, [key, total])
  return { count, forget: () => setCount(0) }
}

type Props = { count: number; onDismiss: () => void }

export function LostFilesNotice({ count, onDismiss }: Props) {
  if (count === 0) return null
  return (
    <Group gap="xs" wrap="nowrap" px="xs" py={4}>
      <Text size="sm" role="status">
        {count === 1
          ? '1 file was not kept. Attach it again.'
          : `${count} files were not kept. Attach them again.`}
      </Text>
      <CloseButton size="sm" aria-label="Dismiss" onClick={onDismiss} />
    </Group>
  )
}
