import { useRef, useState } from 'react'
import { newKey } from '../../relay/new-key.ts'
import { readStored, writeStored } from '../stored.ts'
import type { Target } from '../target.ts'
import type { Outgoing } from './outgoing.ts'
import { type Sent, useSend } from './use-send.ts'

/** The messages that are not in the thread yet. They are sent one after the other. This browser stores them. */
export function useOutbox(place: string, target: Target, onSent: (sent: Sent) => void) {
  const storedAs = `skein:outbox:${place}`
  const [items, setItems] = useState(() => restore(storedAs))
  const current = useRef(items)
  const queue = useRef(Promise.resolve())
  const sendOne = useSend(target)

  const change = (next: readonly Outgoing[]) => {
    current.current = next
    setItems(next)
    writeStored(storedAs, next.length > 0 ? JSON.stringify(next) : null)
  }
  const remove = (key: string) => change(current.current.filter((item) => item.key !== key))
  const setProblem = (key: string, problem: string | null) =>
    change(current.current.map((item) => (item.key === key ? { ...item, problem } : item)))
  const enqueue = (item: Outgoing) => {
    queue.current = queue.current.then(async () => {
      const result = await sendOne(item)
      if (typeof result === 'string') return setProblem(item.key, result)
      remove(item.key)
      onSent(result)
    })
  }
  return {
    items,
    remove,
    send: (text: string, files: Outgoing['files']) => {
      const item = { key: newKey(), text, files, problem: null }
      change([...current.current, item])
      enqueue(item)
    },
    retry: (item: Outgoing) => {
      setProblem(item.key, null)
      enqueue(item)
    },
  }
}

function restore(storedAs: string): readonly Outgoing[] {
  const items: Outgoing[] = JSON.parse(readStored(storedAs) ?? '[]')
  return items.map((item) => ({ ...item, problem: item.problem ?? 'It may not have been sent.' }))
}
