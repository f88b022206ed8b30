import type { Resolvers } from '../../generated/resolver-types.ts'
import { groupEdge } from '../list-groups.ts'
import { membershipIn } from '../membership.ts'
import { workspaceRoleOf } from '../workspace-admins.ts'
import { addMembers } from './add-members.ts'
import { joinGroup } from './join-group.ts'
import { countMembers, listMembers } from './list-members.ts'
import { muteGroup } from './mute-group.ts'
import { leaveGroup, removeMembers } from './remove-members.ts'
import { updateMember } from './update-member.ts'

export const memberResolvers: Resolvers = {
  Mutation: {
    joinGroup: async (_root, { input }, ctx) => {
      const joined = await joinGroup(ctx, input)
      return { ...joined, groupEdge: groupEdge(joined.group) }
    },
    leaveGroup: (_root, { input }, ctx) => leaveGroup(ctx, input),
    addMembers: (_root, { input }, ctx) => addMembers(ctx, input),
    removeMembers: (_root, { input }, ctx) => removeMembers(ctx, input),
    updateMember: (_root, { input }, ctx) => updateMember(ctx, input),
    muteGroup: (_root, { input }, ctx) => muteGroup(ctx, input, true),
    unmuteGroup: (_root, { input }, ctx) => muteGroup(ctx, input, false),
  },
  Viewer: {
    workspaceRole: async (_viewer, _args, ctx) => (await workspaceRoleOf(ctx)) ?? 'member',
  },
  Group: {
    members: (group, args, ctx) => listMembers(ctx, group, args),
    memberCount: (group, _args, ctx) => countMembers(ctx, group),
    viewerRole: async (group, _args, ctx) => (await membershipIn(ctx, group)).role,
    isMuted: async (group, _args, ctx) => (await membershipIn(ctx, group)).isMuted,
    viewerCanAdminister: async (group, _args, ctx) => (await membershipIn(ctx, group)).isAdmin,
  },
}
