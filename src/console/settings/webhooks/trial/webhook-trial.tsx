import { NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import type { webhookTrialQuery } from '../../../../generated/console/webhookTrialQuery.graphql.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { CommandBlock } from './command-block.tsx'
import { curlCommand } from './curl-command.ts'
import { FirstCall } from './first-call.tsx'

type Props = { name: string; userID: string; url: string }

/** Shows the URL of a webhook once, with a command that calls it, and waits for the call. */
export function WebhookTrial({ name, userID, url }: Props) {
  const { groups, latestEventCursor } = useLazyLoadQuery<webhookTrialQuery>(
    graphql`
      query webhookTrialQuery {
        latestEventCursor
        groups(first: 100) { nodes { id name isPrivate isGeneral } }
      }
    `,
    {},
    { fetchPolicy: 'network-only' },
  )
  // A private group is closed to a webhook until somebody adds the user of the webhook.
  const openGroups = (groups?.nodes ?? []).filter(({ isPrivate }) => !isPrivate)
  const [groupID, setGroupID] = useState(
    (openGroups.find((group) => !group.isGeneral) ?? openGroups[0])?.id ?? '',
  )
  const command = curlCommand(url, { target: groupID, text: `Hello from **${name}**` })
  return (
    <Stack mt="md">
      <SecretOnce label="Webhook URL" value={url} />
      <NativeSelect
        label="Try it in the group"
        description="A webhook can post to each public group, and to the private groups that it is a member of."
        data={openGroups.map(({ id, name }) => ({ value: id, label: name }))}
        value={groupID}
        onChange={(event) => setGroupID(event.currentTarget.value)}
      />
      <CommandBlock label="Run this command in a terminal" command={command} />
      <FirstCall userID={userID} after={latestEventCursor ?? null} />
    </Stack>
  )
}
