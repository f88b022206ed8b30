import type { Command } from 'commander'
import { type Client, listAll, pageOf } from '../client.ts'
import type { Answer } from '../print.ts'
import { argumentsOf, change, type Kind, type Noun, rowsAnswer, workspaceOf } from '../verbs.ts'
import { group } from './groups.ts'
import { user } from './users.ts'

const membership: Kind = { fields: 'role joinedAt', columns: { Role: 'role', Joined: 'joinedAt' } }

export const members: Noun = {
  name: 'members',
  says: 'Members of groups, with their roles.',
  verbs: [
    {
      usage: 'list <group>',
      says: 'List the members of a group, in the order they joined.',
      example: 'Builds',
      run: listMembers,
    },
    {
      usage: 'add <group> <users...>',
      says: 'Add users to a group, at most 100 at a time. Existing members stay unchanged.',
      example: 'Builds ada@example.com Grace',
      run: change({ mutation: 'addMembers', field: 'group', kind: group }),
    },
    {
      usage: 'remove <group> <users...>',
      says: 'Remove users from a group. Users who are not members are ignored.',
      example: 'Builds Grace',
      run: change({ mutation: 'removeMembers', field: 'group', kind: group }),
    },
    {
      usage: 'set-role <group> <user> <role>',
      says: 'Change the role of a member. An admin of the General group is an admin of the workspace.',
      example: 'Builds ada@example.com admin',
      run: change({
        mutation: 'updateMember',
        field: 'memberEdge',
        kind: {
          fields: `node { id name } ${membership.fields}`,
          columns: { ID: 'node.id', Name: 'node.name', ...membership.columns },
        },
      }),
    },
  ],
}

async function listMembers(client: Client, command: Command): Promise<Answer> {
  const edges = await listAll(client, {
    document: `query ($workspaceID: ID!, $groupID: ID!, $after: String) {
      workspace(id: $workspaceID) { group(id: $groupID) { members${pageOf(user.fields, membership.fields)} } }
    }`,
    path: 'workspace.group.members',
    variables: { workspaceID: await workspaceOf(client, command), ...(await argumentsOf(client, command)) },
  })
  const members = edges.map(({ cursor, node, ...rest }) => ({ ...(node as object), ...rest }))
  return rowsAnswer({ ...user.columns, ...membership.columns }, members)
}
