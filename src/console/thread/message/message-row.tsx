import { memo } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { messageRow_message$key } from '../../../generated/console/messageRow_message.graphql.ts'
import { Avatar } from '../../page/avatar/avatar.tsx'
import { ProblemText } from '../../page/problems/problem-text.tsx'
import { isolated } from '../../text/isolated.ts'
import { timeOfDay } from '../../text/time.ts'
import { MessageActions } from '../actions/message-actions.tsx'
import { MessageAuthor } from './message-author.tsx'
import { MessageContent } from './message-content.tsx'
import styles from './message-row.module.css'
import { Reactions } from './reactions/reactions.tsx'
import { useReact } from './reactions/use-react.ts'
import { StartedThreads } from './started-threads.tsx'
import { SystemMessage } from './system-message.tsx'

type Props = { message: messageRow_message$key; isContinued: boolean; isHighlighted: boolean }

export const MessageRow = memo(function MessageRow({ isContinued, isHighlighted, ...props }: Props) {
  const message = useFragment(
    graphql`
      fragment messageRow_message on Message {
        id position createdAt
        user { id name kind }
        event { type }
        ...messageAuthor_message
        ...messageContent_message
        ...systemMessage_message
        ...reactions_message
        ...startedThreads_message
        ...messageActions_message
      }
    `,
    props.message,
  )
  const { add, remove, problem } = useReact(message.id)
  return (
    <article
      className={styles.row}
      id={message.id}
      data-position={message.position}
      data-continued={isContinued || undefined}
      data-change={message.event ? true : undefined}
      data-highlighted={isHighlighted || undefined}
      aria-label={`${isolated(message.user.name)}, ${timeOfDay(message.createdAt)}`}
    >
      {!message.event && !isContinued && (
        <div className={styles.avatar}>
          <Avatar user={message.user} isProgram={message.user.kind !== 'person'} />
        </div>
      )}
      <div className={styles.content}>
        {message.event ? (
          <SystemMessage message={message} />
        ) : (
          <>
            {!isContinued && <MessageAuthor message={message} />}
            <MessageContent message={message} />
            <Reactions message={message} onAdd={add} onRemove={remove} />
            <ProblemText problem={problem} />
            <StartedThreads message={message} />
          </>
        )}
      </div>
      {!message.event && <MessageActions message={message} onReact={add} />}
    </article>
  )
})
