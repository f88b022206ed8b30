import { Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { Virtuoso } from 'react-virtuoso'
import type { threadRow_thread$key } from '../../../generated/console/threadRow_thread.graphql.ts'
import styles from './thread-list.module.css'
import type { ThreadListName } from './thread-lists.ts'
import { ThreadRow } from './thread-row.tsx'

type ListedThread = threadRow_thread$key & {
  readonly id: string
  readonly isPeristentChat: boolean
  readonly messageCount: number | null | undefined
}

type Props = {
  name: ThreadListName
  /** The unread threads, which come before the others. With this list, each part that has threads has a heading. */
  unread?: readonly ListedThread[]
  threads: readonly ListedThread[]
  /** All loaded threads, including threads that have just left `unread` or `threads`. */
  loaded: readonly ListedThread[]
  empty: string
  onEnd: () => void
}

const headings = ['Unread', 'Earlier'] as const

/** A list of threads whose rows do not move under the pointer. */
export function ThreadList({ name, unread, threads, loaded, empty, onEnd }: Props) {
  const byID = new Map(loaded.filter(hasContent).map((thread) => [thread.id, thread]))
  const wanted = rowsOf(unread, threads)
  const { order, holdProps } = useSteadyOrder(wanted, (id) => byID.has(id) || isHeading(id))
  const rows = order.flatMap((id) => byID.get(id) ?? (isHeading(id) ? id : []))
  const hasArrived = useArrivals(order)
  return (
    <div className={styles.list} {...holdProps}>
      {rows.length === 0 ? (
        <Text className={styles.empty ?? ''} c="dimmed">
          {empty}
        </Text>
      ) : (
        <Virtuoso
          data={rows}
          computeItemKey={(_index, row) => keyOf(row)}
          endReached={onEnd}
          itemContent={(_index, row) => (
            <Entrance isArrival={hasArrived(keyOf(row))}>
              {typeof row === 'string' ? <Heading text={row} /> : <ThreadRow thread={row} list={name} />}
            </Entrance>
          )}
        />
      )}
    </div>
  )
}

function keyOf(row: ListedThread | string): string {
  return typeof row === 'string' ? row : row.id
}

function Heading({ text }: { text: string }) {
  // While a thread is open, the title above the list is a heading of level 2. Therefore, this heading has level 3.
  const { threadID } = useParams()
  return (
    <Title order={threadID ? 3 : 2} className={styles.heading ?? ''}>
      {text}
    </Title>
  )
}

/** A row that arrives grows to its height, once. With its style, it would grow again when a hidden list is shown again. */
function Entrance({ isArrival, children }: { isArrival: boolean; children: ReactNode }) {
  const [isEntering, setEntering] = useState(isArrival)
  return (
    <div className={isEntering ? styles.entering : undefined} onAnimationEnd={() => setEntering(false)}>
      {children}
    </div>
  )
}

/** Returns the IDs of the threads, and the headings between them. */
function rowsOf(unread: Props['unread'], threads: Props['threads']): string[] {
  const idsOf = (part: Props['threads']) => part.filter(hasContent).map(({ id }) => id)
  if (!unread) return idsOf(threads)
  const [first, rest] = [idsOf(unread), idsOf(threads)]
  return [
    ...(first.length > 0 ? [headings[0], ...first] : []),
    ...(rest.length > 0 ? [headings[1], ...rest] : []),
  ]
}

function isHeading(row: string): boolean {
  return headings.some((heading) => heading === row)
}

/** The service creates a group chat or a DM when somebody first opens it. Lists show it only after its first message. */
function hasContent({ isPeristentChat, messageCount }: ListedThread): boolean {
  return !isPeristentChat || messageCount !== 0
}

/** How long the rows keep their places after an input. A person who reads the rows does not move the pointer. */
const holdMs = 15_000

/**
 * Returns the order in which a list shows its rows, and the props for the element around the list. No row moves while
 * the pointer or the keyboard is used in the list, so that nobody selects the wrong row.
 */
function useSteadyOrder(wanted: readonly string[], exists: (id: string) => boolean) {
  const [isHeld, setHeld] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const shown = useRef(wanted)
  const order = isHeld ? steadyOrder(shown.current, wanted, exists) : wanted
  useEffect(() => {
    shown.current = order
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const release = () => {
    clearTimeout(timer.current)
    setHeld(false)
  }
  const hold = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(release, holdMs)
    setHeld(true)
  }
  return {
    order,
    holdProps: {
      onPointerMove: hold,
      onPointerDown: hold,
      onWheel: hold,
      onFocus: hold,
      onKeyDown: hold,
      onPointerLeave: release,
    },
  }
}

/**
 * Returns an order that does not move the rows on screen: IDs that are shown keep their places while they exist, and a
 * new ID is added only if it comes after all of them.
 */
function steadyOrder(
  shown: readonly string[],
  wanted: readonly string[],
  exists: (id: string) => boolean,
): readonly string[] {
  const kept = shown.filter(exists)
  const isKept = new Set(kept)
  const last = wanted.findLastIndex((id) => isKept.has(id))
  return [...kept, ...wanted.slice(last + 1)]
}

/** A row that the list first renders later, for example because the person scrolls up, is there at once. */
const arrivalMs = 1000

/** Returns a function that tells whether a row has just arrived at the top of a part of the list. */
function useArrivals(order: readonly string[]): (id: string) => boolean {
  const last = useRef(order)
  const times = useRef(new Map<string, number>())
  for (const id of arrivalsIn(order, new Set(last.current))) times.current.set(id, performance.now())
  useEffect(() => {
    last.current = order
  })
  return (id) => performance.now() - (times.current.get(id) ?? Number.NEGATIVE_INFINITY) < arrivalMs
}

/** Returns the new IDs above the first known one of each part. The last new IDs are those of a page that was loaded. */
function arrivalsIn(order: readonly string[], known: ReadonlySet<string>): string[] {
  const lastKnown = order.findLastIndex((id) => known.has(id))
  let isTop = true
  return order.slice(0, Math.max(lastKnown, 0)).filter((id) => {
    isTop = isHeading(id) || (isTop && !known.has(id))
    return isTop && !known.has(id)
  })
}
