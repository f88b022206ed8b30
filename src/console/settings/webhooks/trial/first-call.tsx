import { Anchor, Paper, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { graphql, useSubscription } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { firstCallSubscription } from '../../../../generated/console/firstCallSubscription.graphql.ts'
import { RenderedText } from '../../../page/reading/rendered-text.tsx'
import { StateMark } from '../../../page/state-mark.tsx'

type Props = { userID: string; after: string | null }
type Message = NonNullable<NonNullable<firstCallSubscription['response']['events']>['message']>

/** Waits for the next message from a webhook, and shows it. */
export function FirstCall({ userID, after }: Props) {
  const { workspaceID } = useParams()
  // Other queries write a later cursor to the Relay store. A subscription after that cursor could skip the first call.
  const [firstCursor] = useState(after)
  const [message, setMessage] = useState<Message | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription firstCallSubscription($after: String) {
          events(types: [messageCreated], after: $after) {
            cursor
            message { id text html user { id name } thread { id } }
          }
        }
      `,
      variables: { after: firstCursor },
      updater: (_store: object, response: firstCallSubscription['response'] | null | undefined) => {
        const received = response?.events?.message
        if (received?.user.id === userID) setMessage((first) => first ?? received)
      },
      onError: () => setFailed(true),
    }),
    [firstCursor, userID],
  )
  useSubscription<firstCallSubscription>(config)
  if (hasFailed && !message)
    return <Text size="sm">This page cannot show the first call. Look for the message in the group.</Text>
  return (
    <div role="status">
      {message ? (
        <Paper withBorder p="md">
          <Text size="sm" fw={600}>
            The first message from {message.user.name} arrived:
          </Text>
          <RenderedText html={message.html} />
          {message.thread && (
            <Anchor
              component={Link}
              size="sm"
              to={`/${workspaceID}/threads/${message.thread.id}/${message.id}`}
            >
              Show it in its thread
            </Anchor>
          )}
        </Paper>
      ) : (
        <Text size="sm" c="dimmed">
          <span aria-hidden="true">
            <StateMark state="running" />
          </span>
          Waiting for the first call…
        </Text>
      )}
    </div>
  )
}
