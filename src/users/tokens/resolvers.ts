import { requireSession } from '../../context.ts'
import { pageAmong } from '../../database/paging.ts'
import { notFound } from '../../errors.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'
import { createPersonalToken } from './create-personal-token.ts'
import { listPersonalTokens, revokePersonalToken } from './personal-tokens.ts'

export const personalTokenResolvers: Resolvers = {
  Mutation: {
    createPersonalAccessToken: (_root, { input }, ctx) => {
      requireSession(ctx)
      const { workspaceID, userID, session } = ctx.actor
      return createPersonalToken(ctx.db, { workspaceID, userID, accountID: session.accountID }, input)
    },
    revokePersonalAccessToken: async (_root, { input: { personalAccessTokenID: id } }, ctx) => {
      requireSession(ctx)
      if (!(await revokePersonalToken(ctx.db, ctx.actor, id))) throw notFound('personal access token')
      return { removedPersonalAccessTokenID: id }
    },
  },
  Viewer: {
    personalAccessTokens: async (viewer, args, { db }) =>
      viewer.session ? pageAmong('personalAccessTokens', await listPersonalTokens(db, viewer), args) : null,
  },
}
