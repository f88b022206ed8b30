import type { Context } from '../context.ts'
import { avatarURL } from '../files/links.ts'
import type { Installation } from '../generated/prisma/client.ts'
import type { Resolvers } from '../generated/resolver-types.ts'
import { userOf } from '../users/access.ts'
import { userEdge } from '../users/list-users.ts'
import { appOf, creatorOf } from './access.ts'
import { deleteApp, rotateClientSecret, updateApp } from './change-app.ts'
import { createApp } from './create-app.ts'
import { installApp } from './installations/install-app.ts'
import { installationID, installationOf } from './installations/installation-access.ts'
import { uninstallApp } from './installations/uninstall-app.ts'
import { appEdge, installationEdge, listApps, listInstallations } from './list-apps.ts'
import { permissionsOf } from './permissions.ts'
import { listRedirectURIs } from './redirect-uris.ts'
import { revokeAccessTokens } from './tokens/revoke-access-tokens.ts'

export const appResolvers: Resolvers = {
  Mutation: {
    createApp: async (_root, { input }, ctx) => {
      const created = await createApp(ctx, input)
      const { app, installation } = created
      return { ...created, clientID: app.id, appEdge: appEdge(app), ...(await edgesOf(ctx, installation)) }
    },
    updateApp: async (_root, { input }, ctx) => ({ app: await updateApp(ctx, input) }),
    rotateClientSecret: (_root, { input }, ctx) => rotateClientSecret(ctx, input),
    deleteApp: async (_root, { input }, ctx) => {
      const { app, uninstalled } = await deleteApp(ctx, input)
      const [removedInstallationIDs, removedUserIDs] = [
        uninstalled.map(installationID),
        uninstalled.map(userIDOf),
      ]
      return { app, removedAppID: app.id, removedInstallationIDs, removedUserIDs }
    },
    installApp: async (_root, { input }, ctx) => {
      const installation = await installApp(ctx, input)
      return { installation, ...(await edgesOf(ctx, installation)) }
    },
    uninstallApp: async (_root, { input }, ctx) => {
      const { app, uninstalled } = await uninstallApp(ctx, input)
      return { app, removedInstallationID: installationID(uninstalled), removedUserID: uninstalled.userID }
    },
    revokeAccessTokens: async (_root, { input }, ctx) => ({
      revokedCount: await revokeAccessTokens(ctx, input),
    }),
  },
  App: {
    isPublic: ({ secretHash }) => secretHash === null,
    redirectURIs: (app, _args, ctx) => listRedirectURIs(ctx, app),
    creator: (app, _args, ctx) => creatorOf(ctx, app),
    avatarURL: (app, _args, ctx) => avatarURL(ctx, app),
  },
  Installation: {
    id: installationID,
    app: (installation, _args, ctx) => appOf(ctx, installation),
    user: ({ workspaceID, userID }, _args, ctx) => userOf(ctx, workspaceID, userID),
  },
  Viewer: {
    installation: async ({ workspaceID, userID }, _args, ctx) =>
      (await installationOf(ctx, workspaceID, userID)) ?? null,
    permissions: (_viewer, _args, ctx) => permissionsOf(ctx),
  },
  Workspace: {
    apps: (workspace, args, ctx) => listApps(ctx, workspace, args),
    installations: (workspace, args, ctx) => listInstallations(ctx, workspace, args),
  },
}

async function edgesOf(ctx: Context, installation: Installation) {
  const user = await userOf(ctx, installation.workspaceID, installation.userID)
  return { installationEdge: installationEdge(installation), userEdge: userEdge(user) }
}

function userIDOf({ userID }: Installation): string {
  return userID
}
