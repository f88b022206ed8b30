import { requireUser } from '../context.ts'
import type { Resolvers } from '../generated/resolver-types.ts'
import { parseID } from '../input.ts'
import { accessGroup } from './access.ts'
import { createGroup } from './create-group.ts'
import { generalGroupID } from './general-group-id.ts'
import { groupEdge, listGroups, listGroupsOfUser } from './list-groups.ts'
import { updateGroup } from './update-group.ts'

export const groupResolvers: Resolvers = {
  Query: {
    group: (_root, { id }, ctx) => accessGroup(ctx, parseID(id)),
    groups: (_root, args, ctx) => {
      requireUser(ctx)
      return listGroups(ctx, ctx.actor.workspaceID, args)
    },
  },
  Mutation: {
    createGroup: async (_root, { input }, ctx) => {
      const group = await createGroup(ctx, input)
      return { group, groupEdge: groupEdge(group) }
    },
    updateGroup: async (_root, { input }, ctx) => ({ group: await updateGroup(ctx, input) }),
  },
  Group: {
    url: ({ workspaceID, id }, _args, { config }) => `${config.baseURL}/${workspaceID}/groups/${id}`,
    isGeneral: ({ id, workspaceID }) => id === generalGroupID(workspaceID),
  },
  User: {
    groups: (user, args, ctx) => listGroupsOfUser(ctx, user, args),
  },
}
