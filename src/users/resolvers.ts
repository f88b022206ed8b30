import { requireUser } from '../context.ts'
import type { Resolvers } from '../generated/resolver-types.ts'
import { parseID } from '../input.ts'
import { accessUser, userOf } from './access.ts'
import { emailOf, listUsers } from './list-users.ts'

export const userResolvers: Resolvers = {
  Query: {
    me: (_root, _args, ctx) => {
      requireUser(ctx)
      return userOf(ctx, ctx.actor.workspaceID, ctx.actor.userID)
    },
    viewer: (_root, _args, { actor }) => (actor.kind === 'user' ? actor : null),
    user: (_root, { id }, ctx) => accessUser(ctx, parseID(id)),
    users: (_root, args, ctx) => {
      requireUser(ctx)
      return listUsers(ctx, ctx.actor.workspaceID, args)
    },
  },
  Viewer: {
    user: ({ workspaceID, userID }, _args, ctx) => userOf(ctx, workspaceID, userID),
    scopes: ({ scopes }) => [...scopes],
  },
  User: {
    email: (user, _args, ctx) => emailOf(ctx, user),
  },
  Recipient: {
    __resolveType: (recipient) => ('kind' in recipient ? 'User' : 'Group'),
  },
}
