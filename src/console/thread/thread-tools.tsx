import type { ReactNode } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { threadTools_thread$key } from '../../generated/console/threadTools_thread.graphql.ts'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { SmallPart } from '../page/lazy/small-part.tsx'

const AttentionMenu = lazyPart(() => import('./attention-menu.tsx'))
const ThreadMenu = lazyPart(() => import('./thread-menu.tsx'))

type Props = { thread: threadTools_thread$key; children?: ReactNode }

/**
 * The buttons for notifications and other actions, with `children` between them. They are in the header of a thread, and
 * on a phone in its details.
 */
export function ThreadTools({ children, ...props }: Props) {
  const thread = useFragment(
    graphql`fragment threadTools_thread on Thread { ...attentionMenu_thread ...threadMenu_thread }`,
    props.thread,
  )
  return (
    <>
      <SmallPart>
        <AttentionMenu thread={thread} />
      </SmallPart>
      {children}
      <SmallPart>
        <ThreadMenu thread={thread} />
      </SmallPart>
    </>
  )
}
