import { Button } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { emptyConversation_thread$key } from '../../../generated/console/emptyConversation_thread.graphql.ts'
import { Empty } from '../../page/empty.tsx'
import { Icon } from '../../page/icon.tsx'
import { useSide } from '../../page/side-column.ts'
import { useViewer } from '../../session/viewer.ts'
import styles from './message-list.module.css'

/** What a conversation without messages shows. In the chat of a group, one can also add people and programs. */
export function EmptyConversation(props: { thread: emptyConversation_thread$key }) {
  const { kind, recipients } = useFragment(
    graphql`fragment emptyConversation_thread on Thread { kind recipients(first: 5) { nodes { id } } }`,
    props.thread,
  )
  const groupID = recipients?.nodes[0]?.id
  const isChat = kind === 'groupChat' && groupID !== undefined
  return (
    <div className={styles.nothing}>
      <Empty
        title="No messages yet"
        text={
          isChat ? 'Write the first one, or add people and programs to the group.' : 'Write the first one.'
        }
        actions={isChat && <ChatActions groupID={groupID} />}
      />
    </div>
  )
}

function ChatActions({ groupID }: { groupID: string }) {
  const { workspaceID } = useParams()
  const { permissions } = useViewer()
  const { open } = useSide()
  return (
    <>
      <Button
        leftSection={<Icon name="users" size={16} />}
        onClick={() => open({ kind: 'group', id: groupID })}
      >
        Add people
      </Button>
      {permissions.includes('createWebhooks') && (
        <Button
          component={Link}
          to={`/${workspaceID}/settings/webhooks/new`}
          variant="default"
          leftSection={<Icon name="webhook" size={16} />}
        >
          Add a webhook
        </Button>
      )}
    </>
  )
}
