import type { Command } from 'commander'
import { type Client, listAll, pageSelection } from '../client.ts'
import type { Output } from '../print.ts'
import {
  argumentsOf,
  type CommandGroup,
  type ObjectType,
  rowsOutput,
  runMutation,
  workspaceOf,
} from '../subcommands.ts'
import { group } from './groups.ts'
import { user } from './users.ts'

const membership: ObjectType = { fields: 'role joinedAt', columns: { Role: 'role', Joined: 'joinedAt' } }

export const members: CommandGroup = {
  name: 'members',
  description: 'Members of groups, with their roles.',
  subcommands: [
    {
      usage: 'list <group>',
      description: 'List the members of a group, in the order in which they joined.',
      example: 'Builds',
      run: listMembers,
    },
    {
      usage: 'add <group> <users...>',
      description: 'Add users to a group, at most 100 at a time. Existing members stay unchanged.',
      example: 'Builds ada@example.com Grace',
      run: runMutation({ mutation: 'addMembers', field: 'group', type: group }),
    },
    {
      usage: 'remove <group> <users...>',
      description: 'Remove users from a group. Users who are not members are ignored.',
      example: 'Builds Grace',
      run: runMutation({ mutation: 'removeMembers', field: 'group', type: group }),
    },
    {
      usage: 'set-role <group> <user> <role>',
      description: 'Change the role of a member. An admin of the General group is an admin of the workspace.',
      example: 'Builds ada@example.com admin',
      run: runMutation({
        mutation: 'updateMember',
        field: 'memberEdge',
        type: {
          fields: `node { id name } ${membership.fields}`,
          columns: { ID: 'node.id', Name: 'node.name', ...membership.columns },
        },
      }),
    },
  ],
}

async function listMembers(client: Client, command: Command): Promise<Output> {
  const members = await listAll(client, {
    document: `query ($workspaceID: ID!, $groupID: ID!, $after: String) {
      workspace(id: $workspaceID) { group(id: $groupID) { members${pageSelection(user.fields, { ofEdges: membership.fields })} } }
    }`,
    path: 'workspace.group.members',
    variables: { workspaceID: await workspaceOf(client, command), ...(await argumentsOf(client, command)) },
  })
  return rowsOutput({ ...user.columns, ...membership.columns }, members)
}
