import type { Command } from 'commander'
import { type Client, Failure, listAll, pageOf } from '../client.ts'
import type { Answer } from '../print.ts'
import { argumentsOf, change, listAnswer, type Noun } from '../verbs.ts'
import { group } from './groups.ts'
import { user } from './users.ts'

export const members: Noun = {
  name: 'members',
  says: 'Who is in which group.',
  verbs: [
    {
      usage: 'list <workspaceID> <groupID>',
      says: 'List the members of a group, in the order they joined.',
      example: 'wks_... grp_...',
      run: listMembers,
    },
    {
      usage: 'add <workspaceID> <groupID> <userIDs...>',
      says: 'Add users to a group, at most 100 at a time. Who is a member already stays one.',
      example: 'wks_... grp_... usr_... usr_...',
      run: change({ mutation: 'addMembers', field: 'group', kind: group }),
    },
    {
      usage: 'remove <workspaceID> <groupID> <userIDs...>',
      says: 'Remove users from a group. Who is no member is passed over.',
      example: 'wks_... grp_... usr_...',
      run: change({ mutation: 'removeMembers', field: 'group', kind: group }),
    },
  ],
}

/** The API leads the operator to a group only through the list of its workspace, so its place there comes first. */
async function listMembers(client: Client, command: Command): Promise<Answer> {
  const { workspaceID, groupID } = argumentsOf(command)
  const inWorkspace = 'workspace(id: $workspaceID)'
  const groups = await listAll(client, {
    document: `query ($workspaceID: ID!, $after: String) { ${inWorkspace} { groups${pageOf('id')} } }`,
    path: 'workspace.groups',
    variables: { workspaceID },
  })
  const index = groups.findIndex(({ node }) => (node as { id: string }).id === groupID)
  if (index < 0) throw new Failure('There is no such group in this workspace.')
  const edges = await listAll(client, {
    document: `query ($workspaceID: ID!, $place: String, $after: String) {
      ${inWorkspace} { groups(first: 1, after: $place) { nodes { members${pageOf(user.fields)} } } }
    }`,
    path: 'workspace.groups.nodes.0.members',
    variables: { workspaceID, place: groups[index - 1]?.cursor },
  })
  return listAnswer(user.columns, edges)
}
