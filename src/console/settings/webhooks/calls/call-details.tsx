import { Anchor, Group, Stack, Text } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { callDetailsQuery } from '../../../../generated/console/callDetailsQuery.graphql.ts'
import type { callDetailsResendMutation } from '../../../../generated/console/callDetailsResendMutation.graphql.ts'
import { ActionButton } from '../../../page/forms/action-button.tsx'
import { useQuery } from '../../../relay/use-query.ts'
import { CommandBlock } from '../../commands/command-block.tsx'
import { readableBody } from '../../commands/readable-body.ts'

type Props = { callID: string; onResent: () => void }

/** Shows the query and the body of a call, and the messages that it wrote. */
export function CallDetails({ callID, onResent }: Props) {
  const { workspaceID } = useParams()
  const { node } = useQuery<callDetailsQuery>(
    graphql`
      query callDetailsQuery($callID: ID!) {
        node(id: $callID) {
          ... on WebhookCall @alias(as: "call") {
            id query body isBodyCut messages { id thread { id subject } }
          }
        }
      }
    `,
    { callID },
    { fetchPolicy: 'store-and-network' },
  )
  if (!node?.call) return <Text size="sm">This call is not in the list any more.</Text>
  const { query, body, isBodyCut, messages } = node.call
  return (
    <Stack gap="xs" mt="xs">
      {messages?.map(({ id, thread }) => (
        <Anchor key={id} component={Link} size="sm" to={`/${workspaceID}/threads/${thread?.id}/${id}`}>
          Message in {thread?.subject ?? 'a group chat'}
        </Anchor>
      ))}
      {query && <CommandBlock label="Query" command={query} copies="the query" />}
      {body && <CommandBlock label="Body" command={readableBody(body)} copies="the body" />}
      {isBodyCut && <Text size="sm">This is only the beginning of the body.</Text>}
      {typeof body === 'string' && !isBodyCut ? (
        <Group>
          <ActionButton<callDetailsResendMutation>
            label="Send again"
            mutation={graphql`
              mutation callDetailsResendMutation($input: ResendWebhookCallInput!) {
                resendWebhookCall(input: $input) { webhookCall { id status } }
              }
            `}
            variables={{ input: { webhookCallID: callID } }}
            onDone={onResent}
          />
        </Group>
      ) : (
        body == null && (
          <Text size="sm">
            The body cannot be shown: it is not stored, or the call went to a group or thread that you cannot
            see. Bodies are stored for 24 hours.
          </Text>
        )
      )}
    </Stack>
  )
}
