import type { Resolvers } from '../../generated/resolver-types.ts'
import { userOf } from '../../users/access.ts'
import { userEdge } from '../../users/list-users.ts'
import { invitePeople } from './invite-people.ts'
import { invitePerson } from './invite-person.ts'
import { listInvitations } from './list-invitations.ts'
import { revokeInvitation } from './revoke-invitation.ts'

export const invitationResolvers: Resolvers = {
  Mutation: {
    inviteUser: async (_root, { input }, ctx) => {
      const invited = await invitePerson(ctx, input)
      return { ...invited, userEdge: userEdge(invited.user) }
    },
    inviteUsers: async (_root, { input }, ctx) => ({ results: await invitePeople(ctx, input) }),
    revokeInvitation: async (_root, { input }, ctx) => {
      const user = await revokeInvitation(ctx, input)
      return { user, removedUserID: user.id }
    },
  },
  Workspace: {
    invitations: (workspace, args, ctx) => listInvitations(ctx, workspace.id, args),
  },
  Invitation: {
    user: ({ workspaceID, userID }, _args, ctx) => userOf(ctx, workspaceID, userID),
    inviter: ({ workspaceID, inviterID }, _args, ctx) =>
      inviterID === null ? null : userOf(ctx, workspaceID, inviterID),
  },
}
