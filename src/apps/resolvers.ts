import type { Resolvers } from '../generated/resolver-types.ts'
import { userOf } from '../users/access.ts'
import { appOf } from './access.ts'
import { deleteApp, rotateClientSecret, updateApp } from './change-app.ts'
import { createApp } from './create-app.ts'
import { installApp } from './install-app.ts'
import { listApps, listInstallations } from './list-apps.ts'
import { listRedirectURIs } from './redirect-uris.ts'
import { revokeAccessTokens } from './revoke-access-tokens.ts'
import { uninstallApp } from './uninstall-app.ts'

export const appResolvers: Resolvers = {
  Mutation: {
    createApp: async (_root, { input }, ctx) => {
      const created = await createApp(ctx, input)
      return { ...created, clientID: created.app.id }
    },
    updateApp: async (_root, { input }, ctx) => ({ app: await updateApp(ctx, input) }),
    rotateClientSecret: (_root, { input }, ctx) => rotateClientSecret(ctx, input),
    deleteApp: async (_root, { input }, ctx) => ({ app: await deleteApp(ctx, input) }),
    installApp: async (_root, { input }, ctx) => ({ installation: await installApp(ctx, input) }),
    uninstallApp: async (_root, { input }, ctx) => ({ app: await uninstallApp(ctx, input) }),
    revokeAccessTokens: async (_root, { input }, ctx) => ({ revoked: await revokeAccessTokens(ctx, input) }),
  },
  App: {
    redirectURIs: (app, _args, ctx) => listRedirectURIs(ctx, app),
  },
  Installation: {
    app: (installation, _args, ctx) => appOf(ctx, installation),
    user: ({ workspaceID, userID }, _args, ctx) => userOf(ctx, workspaceID, userID),
  },
  Workspace: {
    apps: (workspace, args, ctx) => listApps(ctx, workspace, args),
    installations: (workspace, args, ctx) => listInstallations(ctx, workspace, args),
  },
}
