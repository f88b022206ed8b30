import { Stack } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { webhookTrialQuery } from '../../../../generated/console/webhookTrialQuery.graphql.ts'
import { LoadingBoundary } from '../../../page/loading-boundary.tsx'
import { ProblemBoundary } from '../../../page/problems/problem-boundary.tsx'
import { EntrySelect } from '../../../people/picker/entry-select.tsx'
import { useQuery } from '../../../relay/use-query.ts'
import { CommandBlock, curlJSON } from '../../commands/command-block.tsx'
import { SecretOnce } from '../../secrets/secret-once.tsx'
import { FirstCall } from './first-call.tsx'

type Props = { name: string; userID: string; url: string }

/** Shows the URL of a webhook once, with a command that calls it, and waits for the call. */
export function WebhookTrial(props: Props) {
  return (
    <Stack mt="md">
      <SecretOnce label="Webhook URL" value={props.url} />
      <ProblemBoundary>
        <LoadingBoundary>
          <Trial {...props} />
        </LoadingBoundary>
      </ProblemBoundary>
    </Stack>
  )
}

function Trial({ name, userID, url }: Props) {
  const { latestEventCursor, groups } = useQuery<webhookTrialQuery>(
    graphql`
      query webhookTrialQuery {
        latestEventCursor
        groups(first: 100) { nodes { id isPrivate isGeneral } }
      }
    `,
    {},
    { fetchPolicy: 'network-only' },
  )
  const [groupID, setGroupID] = useState(() => firstTarget(groups?.nodes ?? []))
  const command = curlJSON(url, { target: groupID, text: `Hello from **${name}**` })
  return (
    <>
      <EntrySelect
        kind="publicGroups"
        label="Group for the example command"
        description="A webhook can post in all public groups. To post in a private group, add the webhook there under Members → Add people."
        allowDeselect={false}
        value={groupID}
        onChange={(id) => setGroupID(id ?? groupID)}
      />
      <CommandBlock label="Run this command in a terminal" command={command} />
      <FirstCall userID={userID} after={latestEventCursor ?? null} />
    </>
  )
}

type TargetGroup = { id: string; isPrivate: boolean; isGeneral: boolean }

/**
 * Returns the ID of a public group, because a new webhook is not a member of any private group. Avoids the General
 * group, because a message to another group disturbs fewer people.
 */
function firstTarget(groups: readonly TargetGroup[]): string {
  const isPublic = groups.filter(({ isPrivate }) => !isPrivate)
  return (isPublic.find(({ isGeneral }) => !isGeneral) ?? isPublic[0])?.id ?? ''
}
