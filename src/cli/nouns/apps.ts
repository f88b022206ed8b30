import { newName, repeatable } from '../options.ts'
import { change, type Kind, listOfWorkspace, type Noun } from '../verbs.ts'

const app: Kind = {
  fields: 'id name redirectURIs createdAt deletedAt',
  columns: { ID: 'id', Created: 'createdAt', Name: 'name', 'Redirect URLs': 'redirectURIs' },
}

const installation: Kind = {
  fields: 'app { id name } user { id name } scopes installedAt',
  columns: {
    App: 'app.id',
    User: 'user.id',
    Installed: 'installedAt',
    Name: 'app.name',
    Scopes: 'scopes',
  },
}

const secret = {
  fields: 'clientSecret',
  columns: { 'Client secret': 'clientSecret' },
  note: 'The client secret is shown only now. Give it to the app, and keep it from everyone else.',
}

const redirectURI = ['--redirect-uri <uri>', 'a redirect URL: https, or http on a loopback address'] as const
const scope = repeatable(
  '--scope <scope>',
  'what the app may do: workspaces:read, threads:read, groups:read, threads.messages:write; all unless told',
)

export const apps: Noun = {
  name: 'apps',
  says: 'OAuth clients: managed in one workspace, installed in any.',
  verbs: [
    {
      usage: 'list <workspaceID>',
      says: 'List the apps that are managed in a workspace.',
      example: 'wks_...',
      run: listOfWorkspace('apps', app),
    },
    {
      usage: 'create <workspaceID> <name>',
      says: 'Make an app and install it in its workspace. Its secret is shown this once.',
      options: [repeatable(...redirectURI).makeOptionMandatory(), scope],
      example: 'wks_... "Release bot" --redirect-uri https://bot.example.com/callback --scope threads:read',
      run: change({
        mutation: 'createApp',
        field: 'app',
        kind: app,
        more: {
          fields: `clientID ${secret.fields} installation { ${installation.fields} }`,
          columns: {
            User: 'installation.user.id',
            Scopes: 'installation.scopes',
            'Client ID': 'clientID',
            ...secret.columns,
          },
          note: secret.note,
        },
      }),
    },
    {
      usage: 'update <appID>',
      says: "Change an app's name, or all of its redirect URLs.",
      options: [newName, repeatable(...redirectURI)],
      example: 'app_... --redirect-uri https://bot.example.com/oauth',
      run: change({ mutation: 'updateApp', field: 'app', kind: app }),
    },
    {
      usage: 'install <workspaceID> <appID>',
      says: 'Install an app in a workspace, or give its installation other scopes.',
      options: [scope],
      example: 'wks_... app_... --scope threads:read --scope groups:read',
      run: change({ mutation: 'installApp', field: 'installation', kind: installation }),
    },
    {
      usage: 'uninstall <workspaceID> <appID>',
      says: 'Uninstall an app from a workspace and revoke its tokens there.',
      example: 'wks_... app_...',
      run: change({ mutation: 'uninstallApp', field: 'app', kind: app }),
    },
    {
      usage: 'rotate-secret <appID>',
      says: 'Give an app a new secret, shown this once; the old one ends at once.',
      example: 'app_...',
      run: change({ mutation: 'rotateClientSecret', field: 'app', kind: app, more: secret }),
    },
    {
      usage: 'revoke-tokens <workspaceID> <appID>',
      says: 'Revoke the access tokens of an app in a workspace. It can ask for new ones.',
      example: 'wks_... app_...',
      run: change({
        mutation: 'revokeAccessTokens',
        kind: { fields: 'revoked', columns: { 'Tokens revoked': 'revoked' } },
      }),
    },
    {
      usage: 'delete <appID>',
      says: 'Delete an app and uninstall it everywhere. Its messages and its name stay.',
      example: 'app_...',
      run: change({
        mutation: 'deleteApp',
        field: 'app',
        kind: { fields: app.fields, columns: { ...app.columns, Deleted: 'deletedAt' } },
      }),
    },
  ],
}

export const installations: Noun = {
  name: 'installations',
  says: 'Apps in the workspaces they are installed in.',
  verbs: [
    {
      usage: 'list <workspaceID>',
      says: 'List the apps that are installed in a workspace, with their users and scopes.',
      example: 'wks_...',
      run: listOfWorkspace('installations', installation),
    },
  ],
}
