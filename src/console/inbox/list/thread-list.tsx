import { Text, Title } from '@mantine/core'
import { useParams } from 'react-router'
import { Virtuoso } from 'react-virtuoso'
import type { threadRow_thread$key } from '../../../generated/console/threadRow_thread.graphql.ts'
import styles from './thread-list.module.css'
import type { ThreadListName } from './thread-lists.ts'
import { ThreadRow } from './thread-row.tsx'
import { useSteadyOrder } from './use-steady-order.ts'

type ListedThread = threadRow_thread$key & {
  readonly id: string
  readonly isPeristentChat: boolean
  readonly messageCount: number | null | undefined
}

type Props = {
  name: ThreadListName
  /** The unread threads, which come before the others. If both parts have threads, each part has a heading. */
  unread?: readonly ListedThread[]
  threads: readonly ListedThread[]
  /** All loaded threads, including threads that have just left `unread` or `threads`. */
  loaded: readonly ListedThread[]
  empty: string
  onEnd: () => void
}

const headings = ['Unread', 'Earlier'] as const

/** A list of threads whose rows do not move under the pointer. */
export function ThreadList({ name, unread = [], threads, loaded, empty, onEnd }: Props) {
  const byID = new Map(loaded.filter(hasContent).map((thread) => [thread.id, thread]))
  const wanted = rowsOf(unread, threads)
  const { order, holdProps } = useSteadyOrder(wanted, (id) => byID.has(id) || isHeading(id))
  const rows = order.flatMap((id) => byID.get(id) ?? (isHeading(id) ? id : []))
  return (
    <div className={styles.list} {...holdProps}>
      {rows.length === 0 ? (
        <Text p="md" c="dimmed">
          {empty}
        </Text>
      ) : (
        <Virtuoso
          data={rows}
          computeItemKey={(_index, row) => (typeof row === 'string' ? row : row.id)}
          endReached={onEnd}
          itemContent={(_index, row) =>
            typeof row === 'string' ? <Heading text={row} /> : <ThreadRow thread={row} list={name} />
          }
        />
      )}
    </div>
  )
}

function Heading({ text }: { text: string }) {
  // While a thread is open, the title above the list is a heading of level 2. Therefore, this heading has level 3.
  const { threadID } = useParams()
  return (
    <Title order={threadID ? 3 : 2} fz="xs" c="dimmed" px="md" pt="sm" pb={4}>
      {text}
    </Title>
  )
}

/** Returns the IDs of the threads, and the headings between them. */
function rowsOf(unread: readonly ListedThread[], threads: readonly ListedThread[]): string[] {
  const [first = [], rest = []] = [unread, threads].map((part) => part.filter(hasContent).map(({ id }) => id))
  return first.length > 0 && rest.length > 0
    ? [headings[0], ...first, headings[1], ...rest]
    : [...first, ...rest]
}

function isHeading(row: string): boolean {
  return headings.some((heading) => heading === row)
}

/** The service creates a group chat or a DM when somebody first opens it. Lists show it only after its first message. */
function hasContent({ isPeristentChat, messageCount }: ListedThread): boolean {
  return !isPeristentChat || messageCount !== 0
}
