import { hasPassword } from '../../accounts/passwords/set-password.ts'
import { listSessions } from '../../accounts/sessions/session.ts'
import { pageAmong } from '../../database/paging.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'
import { createOperatorLink } from './mail-sign-in-link.ts'

export const signInLinkOperatorResolvers: Resolvers = {
  Mutation: {
    createSignInLink: async (_root, { input }, ctx) => ({ url: await createOperatorLink(ctx, input) }),
  },
}

export const viewerAccountResolvers: Resolvers = {
  Viewer: {
    hasPassword: ({ session }, _args, { db, config }) =>
      session && config.signInMethods.includes('password') ? hasPassword(db, session.accountID) : null,
    sessions: async ({ session }, args, { db }) =>
      session ? pageAmong('sessions', await listSessions(db, session.accountID), args) : null,
  },
}
