import { Text, Title } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { threadHeader_thread$key } from '../../generated/console/threadHeader_thread.graphql.ts'
import { Header } from '../page/header.tsx'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { SmallPart } from '../page/lazy/small-part.tsx'
import { MoreButton } from '../page/show-more.tsx'
import { StateMark } from '../page/state-mark.tsx'
import { usePageTitle } from '../page/use-page-title.ts'
import { nameList } from '../text/name-list.ts'
import { useThreadTitle } from './thread-title.ts'

const ThreadDetails = lazyPart(() => import('../thread-details/thread-details.tsx'))

function ThreadDetailsButton({ threadID }: { threadID: string }) {
  const [isOpened, setOpened] = useState(false)
  const close = () => setOpened(false)
  return (
    <>
      <MoreButton aria-label="Thread details" onClick={() => setOpened(true)} />
      {isOpened && (
        <SmallPart onClose={close}>
          <ThreadDetails threadID={threadID} onClose={close} />
        </SmallPart>
      )}
    </>
  )
}

/** Breaks a long word at the end of the line. Otherwise, the whole word would move to the next line, which is hidden. */
const fullLine = { wordBreak: 'break-all' } as const

export function ThreadHeader(props: { thread: threadHeader_thread$key }) {
  const thread = useFragment(
    graphql`
      fragment threadHeader_thread on Thread {
        id
        isPeristentChat
        state
        recipients(first: 5) { nodes { __typename id name } }
        all: recipients(first: 100) { nodes { id } pageInfo { hasNextPage } }
        ...threadTitle_thread
      }
    `,
    props.thread,
  )
  const title = useThreadTitle(thread)
  usePageTitle(title)
  const recipients = thread.recipients?.nodes ?? []
  const names = recipients.map(({ name }) => name)
  const isDM = thread.isPeristentChat && recipients[0]?.__typename === 'User'
  const subtitle = isDM ? 'Direct message' : nameList(names, restOf(thread.all, names.length))
  return (
    <Header>
      <div style={{ minWidth: 0 }}>
        <Title order={1} size="h4" lineClamp={1} style={fullLine}>
          <StateMark state={thread.state} />
          {title}
        </Title>
        {subtitle !== title && (
          <Text size="sm" c="dimmed" lineClamp={1} style={fullLine}>
            {subtitle}
          </Text>
        )}
      </div>
      <ThreadDetailsButton threadID={thread.id} />
    </Header>
  )
}

type Connection = { nodes: readonly object[]; pageInfo: { hasNextPage: boolean } }

/** Returns the number of recipients that are not shown, or null if there are too many to count. */
function restOf(all: Connection | null | undefined, shownCount: number): number | null {
  if (all?.pageInfo.hasNextPage) return null
  return Math.max(0, (all?.nodes.length ?? 0) - shownCount)
}
