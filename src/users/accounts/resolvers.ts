import { hasPassword } from '../../accounts/passwords/set-password.ts'
import { listSessions } from '../../accounts/sessions/session.ts'
import { pageAmong } from '../../database/paging.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'

export const viewerAccountResolvers: Resolvers = {
  Viewer: {
    hasPassword: ({ session }, _args, { db }) => (session ? hasPassword(db, session.accountID) : null),
    sessions: async ({ session }, args, { db }) =>
      session ? pageAmong('sessions', await listSessions(db, session.accountID), args) : null,
  },
}
