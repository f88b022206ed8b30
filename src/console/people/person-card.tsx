import { Button, Group, Stack, Text } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { personCardQuery } from '../../generated/console/personCardQuery.graphql.ts'
import { Avatar } from '../page/avatar.tsx'
import { useQuery } from '../relay/use-query.ts'
import { useViewer } from '../session/viewer.ts'

type Props = { userID: string; via: string | null }

const kinds: Record<string, string> = { app: 'App', webhook: 'Webhook' }

/** Says who a user is. Nobody reads messages to a webhook. */
export default function PersonCard({ userID, via }: Props) {
  const { workspaceID } = useParams()
  const viewer = useViewer()
  const { user } = useQuery<personCardQuery>(
    graphql`query personCardQuery($id: ID!) { user(id: $id) { id name kind email avatarURL deletedAt } }`,
    { id: userID },
    { fetchPolicy: 'store-and-network' },
  )
  if (!user) return <Text size="sm">This user does not exist, or you cannot see it.</Text>
  const { name, kind, email, deletedAt } = user
  const isReader = kind !== 'webhook' && !deletedAt && userID !== viewer.id
  return (
    <Stack gap="md">
      <Group wrap="nowrap" gap="md">
        <Avatar user={user} size="xl" />
        <Stack gap={2} miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Text fw={600}>
            <bdi>{name}</bdi>
          </Text>
          <Detail text={email ?? kinds[kind]} />
          <Detail text={deletedAt && 'No longer in this workspace'} />
          <Detail text={via && `Wrote this message via ${via}`} />
        </Stack>
      </Group>
      {isReader && (
        <Button variant="default" component={Link} to={`/${workspaceID}/new?to=${userID}`}>
          Send a message
        </Button>
      )}
    </Stack>
  )
}

function Detail({ text }: { text: string | null | undefined }) {
  if (!text) return null
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  )
}
