import { Box } from '@mantine/core'
import { useState } from 'react'
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay/hooks'
import { useLocation, useNavigate, useParams } from 'react-router'
import type { newDirectMessageQuery } from '../../generated/console/newDirectMessageQuery.graphql.ts'
import { EntrySelect } from '../people/picker/entry-select.tsx'
import { errorText } from '../relay/error-text.ts'
import { useViewer } from '../session/viewer.ts'

/** Opens the DM with a person or an app. The service creates the DM when a query first selects it. */
export default function NewDirectMessage() {
  const { workspaceID, threadID } = useParams()
  const { key, state } = useLocation()
  const viewer = useViewer()
  const navigate = useNavigate()
  const environment = useRelayEnvironment()
  const [problem, setProblem] = useState<string | null>(null)
  const [openedCount, setOpenedCount] = useState(0)
  const open = (userID: string | null) => {
    if (!userID) return
    const query = graphql`query newDirectMessageQuery($userID: ID!) { user(id: $userID) { chat { id } } }`
    fetchQuery<newDirectMessageQuery>(environment, query, { userID }).subscribe({
      next: ({ user }) => {
        if (!user?.chat) return setProblem('This user cannot receive direct messages.')
        setProblem(null)
        setOpenedCount((count) => count + 1)
        navigate(`/${workspaceID}/threads/${user.chat.id}`, { state: { list: 'dms', isWriting: true } })
      },
      error: (error: Error) => setProblem(errorText(error)),
    })
  }
  return (
    <Box px="var(--s-4)" pb="sm">
      <EntrySelect
        // A new key empties the field after a DM was opened, and focuses it when the person asks for a new DM again.
        key={threadID ? openedCount : key}
        autoFocus={threadID === undefined && state?.isWriting === true}
        kind="people"
        without={viewer.id}
        label="New direct message"
        placeholder="Type a name"
        value={null}
        onChange={open}
        error={problem}
      />
    </Box>
  )
}
