import { graphql, useMutation } from 'react-relay/hooks'
import type { useSendMutation } from '../../../generated/console/useSendMutation.graphql.ts'
import { problemText } from '../../relay/problem-of.ts'
import { appendMessage } from '../../thread/append-message.ts'
import type { Target } from '../target.ts'
import type { Outgoing } from './outgoing.ts'

export type Sent = { threadID: string; messageID: string }

/** Returns a function that sends a message. It returns where the message is, or a text that says what is wrong. */
export function useSend(target: Target): (item: Outgoing) => Promise<Sent | string> {
  const [commit] = useMutation<useSendMutation>(graphql`
    mutation useSendMutation($input: SendMessageInput!) {
      sendMessage(input: $input) {
        thread { id messageCount unreadCount }
        message {
          id cursor position createdAt deletedAt text user { id } event { type }
          ...messageRow_message
        }
      }
    }
  `)
  return (item) =>
    new Promise((resolve) => {
      const message = { text: item.text, attachments: item.files.map(({ id }) => id), uniqueBy: item.key }
      commit({
        variables: { input: { ...destination(target, item.key), message } },
        updater: (store) => {
          const payload = store.getRootField('sendMessage')
          const threadID = payload?.getLinkedRecord('thread')?.getDataID()
          if (threadID) appendMessage(store, threadID, payload?.getLinkedRecord('message'))
        },
        onCompleted: ({ sendMessage }, errors) =>
          resolve(
            sendMessage
              ? { threadID: sendMessage.thread.id, messageID: sendMessage.message.id }
              : (errors?.[0]?.message ?? 'The service did not say why.'),
          ),
        onError: (error) => resolve(problemText(error)),
      })
    })
}

/** The service accepts a key for a new thread only with a subject or a message to start from. */
function destination(target: Target, key: string) {
  if ('threadID' in target) return { threadID: target.threadID }
  const isNew = target.subject !== undefined || target.fromMessageID !== undefined
  return { thread: { ...target, ...(isNew && { threadBy: key }) } }
}
