import type { Resolvers } from '../generated/resolver-types.ts'
import { createOperatorLink } from './links/operator-link.ts'

export const accountResolvers: Resolvers = {
  Mutation: {
    createSignInLink: async (_root, { input }, ctx) => ({ url: await createOperatorLink(ctx, input) }),
  },
}
