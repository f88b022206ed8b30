import { z } from 'zod'
import { requireSession } from '../../context.ts'
import { pageAmong } from '../../database/paging.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'
import { id, parseInput } from '../../input.ts'
import { createPersonalToken } from './create-personal-token.ts'
import { listPersonalTokens, revokePersonalToken } from './personal-tokens.ts'

const revokeInput = z.object({ personalAccessTokenID: id })

export const personalTokenResolvers: Resolvers = {
  Mutation: {
    createPersonalAccessToken: (_root, { input }, ctx) => {
      requireSession(ctx)
      return createPersonalToken(ctx, ctx.actor.session, input)
    },
    revokePersonalAccessToken: async (_root, { input }, ctx) => {
      requireSession(ctx)
      const { personalAccessTokenID: id } = parseInput(revokeInput, input)
      await revokePersonalToken(ctx, id)
      return { removedPersonalAccessTokenID: id }
    },
  },
  Viewer: {
    personalAccessTokens: async (viewer, args, { db }) =>
      viewer.session ? pageAmong('personalAccessTokens', await listPersonalTokens(db, viewer), args) : null,
  },
}
