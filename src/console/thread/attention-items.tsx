import { graphql, useFragment } from 'react-relay/hooks'
import type { attentionItems_thread$key } from '../../generated/console/attentionItems_thread.graphql.ts'
import type { attentionItemsFollowMutation } from '../../generated/console/attentionItemsFollowMutation.graphql.ts'
import type { attentionItemsMuteMutation } from '../../generated/console/attentionItemsMuteMutation.graphql.ts'
import type { attentionItemsUnfollowMutation } from '../../generated/console/attentionItemsUnfollowMutation.graphql.ts'
import type { attentionItemsUnmuteMutation } from '../../generated/console/attentionItemsUnmuteMutation.graphql.ts'
import { ExplainedItem } from '../page/explained-item.tsx'
import { ProblemText } from '../page/problems/problem.tsx'
import { useAction } from '../relay/use-action.ts'

const muteHints = {
  thread: 'Only a mention of your name reaches you.',
  chat: 'This mutes only the chat. To mute all threads of the group, use “Mute group”.',
}

/** Menu items that mute and follow a thread. The inbox stream moves the thread in all lists. */
export function AttentionItems(props: { thread: attentionItems_thread$key }) {
  const { id, kind, isMuted, isFollowed } = useFragment(
    graphql`fragment attentionItems_thread on Thread { id kind isMuted isFollowed }`,
    props.thread,
  )
  const mute = useAction<attentionItemsMuteMutation>(graphql`
    mutation attentionItemsMuteMutation($input: MuteThreadInput!) { muteThread(input: $input) { thread { isMuted } } }
  `)
  const unmute = useAction<attentionItemsUnmuteMutation>(graphql`
    mutation attentionItemsUnmuteMutation($input: UnmuteThreadInput!) { unmuteThread(input: $input) { thread { isMuted } } }
  `)
  const follow = useAction<attentionItemsFollowMutation>(graphql`
    mutation attentionItemsFollowMutation($input: FollowThreadInput!) {
      followThread(input: $input) { thread { isFollowed isMine } }
    }
  `)
  const unfollow = useAction<attentionItemsUnfollowMutation>(graphql`
    mutation attentionItemsUnfollowMutation($input: UnfollowThreadInput!) {
      unfollowThread(input: $input) { thread { isFollowed isMine } }
    }
  `)
  const variables = { input: { threadID: id } }
  return (
    <>
      <ExplainedItem
        label={isMuted ? 'Unmute' : 'Mute'}
        hint={isMuted ? 'New messages count again.' : muteHints[kind === 'groupChat' ? 'chat' : 'thread']}
        onClick={() => (isMuted ? unmute : mute).run(variables)}
      />
      {kind === 'thread' && (
        <ExplainedItem
          label={isFollowed ? 'Unfollow' : 'Follow'}
          hint={
            isFollowed
              ? 'It leaves your inbox, unless it is there for another reason.'
              : 'It stays in your inbox.'
          }
          onClick={() => (isFollowed ? unfollow : follow).run(variables)}
        />
      )}
      <ProblemText problem={mute.problem ?? unmute.problem ?? follow.problem ?? unfollow.problem} />
    </>
  )
}
