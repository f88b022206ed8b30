import { Anchor, Stack, Text } from '@mantine/core'
import { use } from 'react'
import { Link } from 'react-router'
import type { GraphQLResponse } from 'relay-runtime'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { NotFound } from '../page/problems/problem.tsx'
import { post } from '../relay/post.ts'

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

type OwnWorkspace = { workspaceID: string; name: string }

type Answer = { data?: { viewer: { workspaces: OwnWorkspace[] | null } | null } }

const found = new Map<string, Promise<OwnWorkspace[]>>()

/**
 * Returns the workspaces of the person who is signed in. A request to the API must name one of them. Therefore, this
 * function gets the first ID from the redirect of `/`. Caches the result for each missing workspace.
 */
function findWorkspaces(missingID: string): Promise<OwnWorkspace[]> {
  const last = found.get(missingID)
  if (last) return last
  const workspaces = load().catch(() => [])
  found.set(missingID, workspaces)
  return workspaces
}

async function load(): Promise<OwnWorkspace[]> {
  const { url } = await fetch('/', { method: 'HEAD' })
  const first = /^\/(wks_\w+)\//.exec(new URL(url).pathname)?.[1]
  if (first === undefined) return []
  const query = '{ viewer { workspaces { workspaceID name } } }'
  const answer = (await post(first, { query, variables: {} })) as GraphQLResponse & Answer
  return answer.data?.viewer?.workspaces ?? []
}
