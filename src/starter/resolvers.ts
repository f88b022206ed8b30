import { record } from '../audit/record.ts'
import { requireOperator } from '../context.ts'
import type { Resolvers } from '../generated/resolver-types.ts'
import { workspaceEdge } from '../workspaces/list-workspaces.ts'
import { createStarterWorkspace } from './create-starter-workspace.ts'
import { removeStarterWorkspace } from './remove-starter-workspace.ts'
import { welcome } from './welcome.ts'

export const starterOperatorResolvers: Resolvers = {
  Mutation: {
    createStarterWorkspace: async (_root, _args, ctx) => {
      const created = await createStarterWorkspace(ctx)
      return { ...created, workspaceEdge: workspaceEdge(created.workspace), welcome: await welcome(ctx) }
    },
    removeStarterWorkspace: async (_root, { input }, ctx) => ({
      removedWorkspaceID: (await removeStarterWorkspace(ctx, input))?.id ?? null,
    }),
    createWelcome: async (_root, _args, ctx) => {
      requireOperator(ctx)
      const text = await welcome(ctx)
      await record(ctx, { action: 'createWelcome' })
      return { welcome: text }
    },
  },
}
