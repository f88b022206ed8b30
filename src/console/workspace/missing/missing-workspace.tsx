import { Anchor, Stack, Text } from '@mantine/core'
import { use } from 'react'
import { Link } from 'react-router'
import { LoadingBoundary } from '../../page/loading-boundary.tsx'
import { NotFound } from '../../page/problems/not-found.tsx'
import { findWorkspaces } from './find-workspaces.ts'

/** Replaces a workspace that does not exist, or that the person is not in. Links to the workspaces of the person. */
export function MissingWorkspace({ workspaceID }: { workspaceID: string }) {
  return (
    <main>
      <NotFound what="Workspace" />
      <LoadingBoundary>
        <OwnWorkspaces missingID={workspaceID} />
      </LoadingBoundary>
    </main>
  )
}

function OwnWorkspaces({ missingID }: { missingID: string }) {
  const workspaces = use(findWorkspaces(missingID))
  return (
    <Stack component="nav" aria-label="Your workspaces" align="center" gap="xs" px="md">
      <Text>{workspaces.length > 0 ? 'Your workspaces:' : 'You are not in a workspace yet.'}</Text>
      {workspaces.map(({ workspaceID, name }) => (
        <Anchor key={workspaceID} component={Link} to={`/${workspaceID}`}>
          {name}
        </Anchor>
      ))}
      <Anchor href="/account" size="sm">
        Your account
      </Anchor>
    </Stack>
  )
}
