import { z } from 'zod'
import { requireSession } from '../../context.ts'
import { pageAmong } from '../../database/paging.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'
import { id, parseInput } from '../../input.ts'
import { findApp } from '../access.ts'
import { listGrants, revokeOwnGrant } from './list-grants.ts'

const revokeInput = z.object({ grantID: id })

export const grantResolvers: Resolvers = {
  Mutation: {
    revokeGrant: async (_root, { input }, ctx) => {
      requireSession(ctx)
      const { grantID } = parseInput(revokeInput, input)
      await revokeOwnGrant(ctx, ctx.actor.session.accountID, grantID)
      return { removedGrantID: grantID }
    },
  },
  Viewer: {
    grants: async ({ session }, args, { db }) =>
      session ? pageAmong('grants', await listGrants(db, session.accountID), args) : null,
  },
  Grant: {
    appName: ({ app }) => app,
    app: ({ appID }, _args, ctx) => findApp(ctx, appID),
    workspace: ({ workspaceID, workspace, avatarURL }) => ({ workspaceID, name: workspace, avatarURL }),
  },
}
