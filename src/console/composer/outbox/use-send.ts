import { graphql, useMutation } from 'react-relay/hooks'
import type { useSendMutation } from '../../../generated/console/useSendMutation.graphql.ts'
import { appendMessage } from '../../relay/append-message.ts'
import { errorText, isUnreachable, namesField, serviceErrorText } from '../../relay/error-text.ts'
import type { Outgoing, Target } from './outbox.ts'

type Refusal = Pick<Outgoing, 'problem' | 'missingFiles' | 'mayHaveArrived'>

export type Sent = { threadID: string; messageID: string }

/** Returns a function that sends a message. The result has the IDs of the message and its thread, or says what went wrong. */
export function useSend(): (item: Outgoing) => Promise<Sent | (Refusal & { isUnreachable?: boolean })> {
  const [commit] = useMutation<useSendMutation>(graphql`
    mutation useSendMutation($input: SendMessageInput!) {
      sendMessage(input: $input) {
        thread { id messageCount unreadCount }
        message {
          id cursor position createdAt deletedAt text senderName user { id } origin { kind via } event { type }
          ...messageRow_message
        }
      }
    }
  `)
  return (item) =>
    new Promise((resolve) => {
      const message = { text: item.text, attachments: item.files.map(({ id }) => id), uniqueBy: item.key }
      commit({
        variables: { input: { ...destination(item.target, item.key), message } },
        updater: (store) => {
          const payload = store.getRootField('sendMessage')
          const threadID = payload?.getLinkedRecord('thread')?.getDataID()
          if (threadID) appendMessage(store, threadID, payload?.getLinkedRecord('message'))
        },
        onCompleted: ({ sendMessage }, errors) =>
          resolve(
            sendMessage
              ? { threadID: sendMessage.thread.id, messageID: sendMessage.message.id }
              : refusalOf(item, errors ?? []),
          ),
        onError: (error) =>
          resolve({ problem: errorText(error), mayHaveArrived: true, isUnreachable: isUnreachable(error) }),
      })
    })
}

/** The service creates a thread with `threadBy` only if it has a subject or starts from a message. */
function destination(target: Target, key: string) {
  if ('threadID' in target) return { threadID: target.threadID }
  const isNew = target.subject !== undefined || target.fromMessageID !== undefined
  return { thread: { ...target, ...(isNew && { threadBy: key }) } }
}

type ServiceError = { extensions?: { errors?: readonly { field: string }[] } }

/** Says why the service refused a message. Names the files that the service no longer has. */
function refusalOf({ files }: Outgoing, errors: readonly object[]): Refusal {
  const fields = (errors as readonly ServiceError[]).flatMap(({ extensions }) => extensions?.errors ?? [])
  const missing = fields.flatMap(({ field }) => {
    const [, index] = /(?:^|\.)attachments\.(\d+)$/.exec(field) ?? []
    return files[Number(index)] ?? []
  })
  if (missing.length === 0 || missing.length < fields.length) {
    const problem = serviceErrorText(errors) || 'The service did not say why.'
    return namesField(errors) ? { problem } : { problem, mayHaveArrived: true }
  }
  const names = missing.map(({ name }) => `“${name}”`).join(', ')
  const them = missing.length === 1 ? 'the file' : 'the files'
  const problem = `The service no longer has ${names}. Edit the message to attach ${them} again.`
  return { problem, missingFiles: missing.map(({ id }) => id) }
}
