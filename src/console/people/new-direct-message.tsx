import { Box, Select } from '@mantine/core'
import { useState } from 'react'
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { newDirectMessageQuery } from '../../generated/console/newDirectMessageQuery.graphql.ts'
import { useViewer } from '../workspace/viewer.ts'
import { useRecipients } from './use-recipients.ts'

/** Opens the DM with a person. The service creates the DM when it is requested first. */
export default function NewDirectMessage() {
  const { workspaceID } = useParams()
  const viewer = useViewer()
  const navigate = useNavigate()
  const environment = useRelayEnvironment()
  const { people } = useRecipients()
  const [problem, setProblem] = useState<string | null>(null)
  const open = (userID: string | null) => {
    if (!userID) return
    const query = graphql`query newDirectMessageQuery($userID: ID!) { user(id: $userID) { chat { id } } }`
    fetchQuery<newDirectMessageQuery>(environment, query, { userID }).subscribe({
      next: ({ user }) => {
        if (user?.chat) navigate(`/${workspaceID}/threads/${user.chat.id}`, { state: { list: 'dms' } })
        else setProblem('This person cannot receive direct messages.')
      },
      error: (error: Error) => setProblem(error.message),
    })
  }
  return (
    <Box px="md" pb="sm">
      <Select
        searchable
        limit={50}
        label="New direct message"
        placeholder="Type a name"
        nothingFoundMessage="Nobody has this name"
        value={null}
        onChange={open}
        error={problem}
        data={people.filter(({ value }) => value !== viewer.id)}
      />
    </Box>
  )
}
