import { requireUser } from '../context.ts'
import type { Resolvers } from '../generated/resolver-types.ts'
import { accessGroup } from './access.ts'
import { addMembers, removeMembers } from './change-members.ts'
import { createGroup } from './create-group.ts'
import { listGroups, listGroupsOfUser } from './list-groups.ts'
import { listMembers } from './list-members.ts'
import { updateGroup } from './update-group.ts'

export const groupResolvers: Resolvers = {
  Query: {
    group: (_root, { id }, ctx) => accessGroup(ctx, id),
    groups: (_root, args, ctx) => {
      requireUser(ctx)
      return listGroups(ctx, ctx.actor.workspaceID, args)
    },
  },
  Mutation: {
    createGroup: async (_root, { input }, ctx) => ({ group: await createGroup(ctx, input) }),
    updateGroup: async (_root, { input }, ctx) => ({ group: await updateGroup(ctx, input) }),
    addMembers: async (_root, { input }, ctx) => ({ group: await addMembers(ctx, input) }),
    removeMembers: async (_root, { input }, ctx) => ({ group: await removeMembers(ctx, input) }),
  },
  Group: {
    isGeneral: (group) => group.id === group.workspaceID,
    members: (group, args, ctx) => listMembers(ctx, group, args),
  },
  User: {
    groups: (user, args, ctx) => listGroupsOfUser(ctx, user, args),
  },
}
