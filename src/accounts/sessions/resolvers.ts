import { z } from 'zod'
import { record } from '../../audit/record.ts'
import { requireSession } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { notFound } from '../../errors.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'
import { id, parseInput } from '../../input.ts'
import { browserName } from './browser-name.ts'
import { endSession, endSessions, ownerOf } from './session.ts'
import { sessionEnds } from './session-ends.ts'

const endInput = z.object({ sessionID: id })

export const sessionResolvers: Resolvers = {
  Mutation: {
    endSession: async (_root, { input }, ctx) => {
      requireSession(ctx)
      const { sessionID } = parseInput(endInput, input)
      if (!(await endSession(ctx, ctx.actor.session, sessionID, 'endSession'))) throw notFound('session')
      return { removedSessionID: sessionID }
    },
    endOtherSessions: async (_root, _args, ctx) => {
      requireSession(ctx)
      const { session } = ctx.actor
      const removedSessionIDs = await inTransaction(ctx.db, async (db) => {
        const ended = await endSessions(db, session.accountID, session.id)
        const details = { count: ended.length }
        await record({ ...ctx, db, actor: ownerOf(session) }, { action: 'endOtherSessions', details })
        return ended
      })
      sessionEnds(ctx.db).send(session.accountID)
      return { removedSessionIDs }
    },
  },
  Session: {
    browser: ({ userAgent }) => browserName(userAgent),
    isCurrent: ({ id }, _args, { actor }) => actor.kind === 'user' && actor.session?.id === id,
  },
}
