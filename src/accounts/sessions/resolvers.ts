import { z } from 'zod'
import { requireSession } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'
import { id, parseInput } from '../../input.ts'
import { browserName } from './browser-name.ts'
import { endSession, endSessions } from './session.ts'

const endInput = z.object({ sessionID: id })

export const sessionResolvers: Resolvers = {
  Mutation: {
    endSession: async (_root, { input }, ctx) => {
      requireSession(ctx)
      const { sessionID } = parseInput(endInput, input)
      if (!(await endSession(ctx.db, ctx.actor.session.accountID, sessionID))) throw notFound('session')
      return { removedSessionID: sessionID }
    },
    endOtherSessions: async (_root, _args, ctx) => {
      requireSession(ctx)
      const { id, accountID } = ctx.actor.session
      return { removedSessionIDs: await endSessions(ctx.db, accountID, id) }
    },
  },
  Session: {
    browser: ({ userAgent }) => browserName(userAgent),
    isCurrent: ({ id }, _args, { actor }) => actor.kind === 'user' && actor.session?.id === id,
  },
}
