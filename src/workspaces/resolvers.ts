import type { Context } from '../context.ts'
import type { User } from '../generated/prisma/client.ts'
import type { Resolvers } from '../generated/resolver-types.ts'
import { accessGroupIn } from '../groups/access.ts'
import { listGroups } from '../groups/list-groups.ts'
import { workspaceRoleOf } from '../groups/workspace-admins.ts'
import { parseID } from '../input.ts'
import { listUsers, userEdge } from '../users/list-users.ts'
import { accessWorkspace, generalGroupOf } from './access.ts'
import { createWorkspace } from './create-workspace.ts'
import { listWorkspaces, workspaceEdge } from './list-workspaces.ts'
import { updateWorkspace } from './update-workspace.ts'
import { createPerson } from './users/create-user.ts'
import { deletePerson } from './users/delete-user.ts'
import { endUserSessions } from './users/end-user-sessions.ts'
import { mailLinkTo } from './users/mail-link.ts'
import { peopleOfAccount } from './users/people-of-account.ts'
import { restorePerson } from './users/restore-user.ts'
import { updatePerson } from './users/update-person.ts'

export const workspaceOperatorResolvers: Resolvers = {
  Mutation: {
    createWorkspace: async (_root, { input }, ctx) => {
      const workspace = await createWorkspace(ctx, input)
      return { workspace, workspaceEdge: workspaceEdge(workspace) }
    },
  },
}

export const workspaceResolvers: Resolvers = {
  Query: {
    workspace: (_root, { id }, ctx) => accessWorkspace(ctx, parseID(id)),
    workspaces: (_root, args, ctx) => listWorkspaces(ctx, args),
  },
  Mutation: {
    updateWorkspace: async (_root, { input }, ctx) => ({ workspace: await updateWorkspace(ctx, input) }),
    createUser: async (_root, { input }, ctx) => {
      const user = await createPerson(ctx, input)
      return { user, userEdge: userEdge(user) }
    },
    updateUser: async (_root, { input }, ctx) => ({ user: await updatePerson(ctx, input) }),
    deleteUser: async (_root, { input }, ctx) => {
      const user = await deletePerson(ctx, input)
      return { user, removedUserID: user.id }
    },
    restoreUser: async (_root, { input }, ctx) => {
      const user = await restorePerson(ctx, input)
      return { user, userEdge: userEdge(user) }
    },
    endUserSessions: async (_root, { input }, ctx) => ({ user: await endUserSessions(ctx, input) }),
    mailSignInLink: async (_root, { input }, ctx) => ({ user: await mailLinkTo(ctx, input) }),
  },
  User: {
    isInvited: (user, _args, ctx) => isInvited(ctx, user),
  },
  Viewer: {
    workspaces: async ({ session }, _args, { db }) =>
      session
        ? (await peopleOfAccount(db, session.accountID)).map(({ workspace, ...person }) => ({
            ...person,
            name: workspace,
          }))
        : null,
  },
  Workspace: {
    generalGroup: (workspace, _args, ctx) => generalGroupOf(ctx, workspace),
    users: (workspace, args, ctx) => listUsers(ctx, workspace.id, args),
    group: (workspace, { id }, ctx) => accessGroupIn(ctx, workspace.id, parseID(id)),
    groups: (workspace, args, ctx) => listGroups(ctx, workspace.id, args),
  },
}

async function isInvited(ctx: Context, user: User): Promise<boolean | null> {
  if (user.kind !== 'person') return null
  if (ctx.actor.kind === 'user' && (await workspaceRoleOf(ctx)) !== 'admin') return null
  return user.accountID === null && user.deletedAt === null
}
