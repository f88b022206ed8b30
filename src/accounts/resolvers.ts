import type { Resolvers } from '../generated/resolver-types.ts'
import { deactivateAccount, endAccountSessions, listAccounts, reactivateAccount } from './change-account.ts'
import {
  createOperatorToken,
  listOperatorTokens,
  revokeOperatorToken,
} from './operator-tokens/operator-tokens.ts'

export const accountOperatorResolvers: Resolvers = {
  Query: {
    accounts: (_root, args, ctx) => listAccounts(ctx, args),
    operatorTokens: (_root, _args, ctx) => listOperatorTokens(ctx),
  },
  Mutation: {
    deactivateAccount: async (_root, { input }, ctx) => ({ account: await deactivateAccount(ctx, input) }),
    reactivateAccount: async (_root, { input }, ctx) => ({ account: await reactivateAccount(ctx, input) }),
    endAccountSessions: (_root, { input }, ctx) => endAccountSessions(ctx, input),
    createOperatorToken: (_root, { input }, ctx) => createOperatorToken(ctx, input),
    revokeOperatorToken: async (_root, { input }, ctx) => ({
      operatorToken: await revokeOperatorToken(ctx, input),
    }),
  },
}
