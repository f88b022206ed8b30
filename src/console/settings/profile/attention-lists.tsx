import { graphql, useFragment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { attentionLists_query$key } from '../../../generated/console/attentionLists_query.graphql.ts'
import type { attentionLists_thread$key } from '../../../generated/console/attentionLists_thread.graphql.ts'
import type { attentionListsUnfollowMutation } from '../../../generated/console/attentionListsUnfollowMutation.graphql.ts'
import type { attentionListsUnmuteGroupMutation } from '../../../generated/console/attentionListsUnmuteGroupMutation.graphql.ts'
import type { attentionListsUnmuteMutation } from '../../../generated/console/attentionListsUnmuteMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { nameList } from '../../text/name-list.ts'
import { useThreadTitle } from '../../thread/thread-title.ts'
import { Row, Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'

type Props = { query: attentionLists_query$key; onChange: () => void }

/** What the person has muted, and the threads that they follow: the 100 with the latest activity of each kind. */
export function AttentionLists({ onChange, ...props }: Props) {
  const { workspaceID } = useParams()
  const { groups, muted, followed } = useFragment(
    graphql`
      fragment attentionLists_query on Query {
        groups(muted: true, first: 100) { nodes { id name } }
        muted: threads(filter: { muted: true }, order: lastMessage, first: 100) {
          nodes { id ...attentionLists_thread }
        }
        followed: threads(filter: { followed: true }, order: lastMessage, first: 100) {
          nodes { id ...attentionLists_thread }
        }
      }
    `,
    props.query,
  )
  return (
    <>
      <Section
        title="Muted"
        text="A muted thread stays in your lists, but is not counted and does not notify you, unless a person mentions you by name. The threads of a muted group leave your inbox, unless they concern you for another reason."
      >
        <Rows label="Muted" empty="You have muted nothing.">
          {[
            ...(groups?.nodes ?? []).map(({ id, name }) => (
              <Row key={id} title={name} to={`/${workspaceID}/groups/${id}`} text="Group">
                <ActionButton<attentionListsUnmuteGroupMutation>
                  label="Unmute"
                  name={`Unmute ${name}`}
                  mutation={graphql`
                    mutation attentionListsUnmuteGroupMutation($input: UnmuteGroupInput!) {
                      unmuteGroup(input: $input) { group { isMuted } }
                    }
                  `}
                  variables={{ input: { groupID: id } }}
                  onDone={onChange}
                />
              </Row>
            )),
            ...(muted?.nodes ?? []).map((thread) => (
              <ThreadRow key={thread.id} thread={thread} kind="muted" onDone={onChange} />
            )),
          ]}
        </Rows>
      </Section>
      <Section
        title="Followed threads"
        text="You follow the threads that you start, write in, or are mentioned in, and those that you choose."
      >
        <Rows label="Followed threads" empty="You follow no threads.">
          {(followed?.nodes ?? []).map((thread) => (
            <ThreadRow key={thread.id} thread={thread} kind="followed" onDone={onChange} />
          ))}
        </Rows>
      </Section>
    </>
  )
}

type ThreadRowProps = {
  thread: attentionLists_thread$key
  kind: 'muted' | 'followed'
  onDone: () => void
}

function ThreadRow({ kind, onDone, ...props }: ThreadRowProps) {
  const { workspaceID } = useParams()
  const thread = useFragment(
    graphql`
      fragment attentionLists_thread on Thread {
        id kind recipients(first: 5) { nodes { name } } ...threadTitle_thread
      }
    `,
    props.thread,
  )
  const title = useThreadTitle(thread)
  // Many threads have the same subject.
  const names = nameList((thread.recipients?.nodes ?? []).map(({ name }) => name))
  const text = thread.kind === 'groupChat' ? 'Group chat' : thread.kind === 'thread' && names
  const variables = { input: { threadID: thread.id } }
  return (
    <Row title={title} to={`/${workspaceID}/threads/${thread.id}`} text={text}>
      {kind === 'muted' ? (
        <ActionButton<attentionListsUnmuteMutation>
          label="Unmute"
          name={`Unmute ${title}`}
          mutation={graphql`
            mutation attentionListsUnmuteMutation($input: UnmuteThreadInput!) {
              unmuteThread(input: $input) { thread { isMuted } }
            }
          `}
          variables={variables}
          onDone={onDone}
        />
      ) : (
        <ActionButton<attentionListsUnfollowMutation>
          label="Unfollow"
          name={`Unfollow ${title}`}
          mutation={graphql`
            mutation attentionListsUnfollowMutation($input: UnfollowThreadInput!) {
              unfollowThread(input: $input) { thread { isFollowed isMine } }
            }
          `}
          variables={variables}
          onDone={onDone}
        />
      )}
    </Row>
  )
}
