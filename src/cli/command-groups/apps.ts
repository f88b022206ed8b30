import { defaultScopes, scopes } from '../../scopes.ts'
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
  note: 'Save the client secret now: it is not shown again. Share it only with the app.',
}

const redirectURI = ['--redirect-uri <uri>', 'a redirect URL: https, or http on a loopback address'] as const
const scope = repeatable(
  '--scope <scope>',
  `a scope to grant: ${scopes.join(', ')}; by default ${defaultScopes.join(', ')}`,
)

export const apps: Noun = {
  name: 'apps',
  says: 'OAuth clients. An app is managed in one workspace and can be installed in any workspace.',
  verbs: [
    {
      usage: 'list',
      says: 'List the apps that are managed in a workspace.',
      example: '',
      run: listOfWorkspace('apps', app),
    },
    {
      usage: 'create <name>',
      says: 'Create an app and install it in its workspace. Its client secret is shown only once.',
      options: [repeatable(...redirectURI).makeOptionMandatory(), scope],
      example: '"Release bot" --redirect-uri https://bot.example.com/callback --scope threads:read',
      run: change({
        mutation: 'createApp',
        inWorkspace: true,
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
      usage: 'update <app>',
      says: 'Change the name of an app, or replace all of its redirect URLs.',
      options: [newName, repeatable(...redirectURI)],
      example: '"Release bot" --redirect-uri https://bot.example.com/oauth',
      run: change({ mutation: 'updateApp', field: 'app', kind: app }),
    },
    {
      usage: 'install <app>',
      says: 'Install an app in a workspace, or change the scopes of its installation.',
      options: [scope],
      example: '"Release bot" --scope threads:read --scope groups:read',
      run: change({ mutation: 'installApp', inWorkspace: true, field: 'installation', kind: installation }),
    },
    {
      usage: 'uninstall <app>',
      says: 'Uninstall an app from a workspace and revoke its tokens there.',
      confirm: 'Uninstall the app and revoke its tokens?',
      example: '"Release bot"',
      run: change({ mutation: 'uninstallApp', inWorkspace: true, field: 'app', kind: app }),
    },
    {
      usage: 'rotate-secret <app>',
      says: 'Issue a new client secret for an app, shown only once. The old one stops working immediately.',
      example: '"Release bot"',
      run: change({ mutation: 'rotateClientSecret', field: 'app', kind: app, more: secret }),
    },
    {
      usage: 'revoke-tokens <app>',
      says: 'Revoke the access tokens of an app in a workspace. The app can request new ones.',
      example: '"Release bot"',
      run: change({
        mutation: 'revokeAccessTokens',
        inWorkspace: true,
        kind: { fields: 'revokedCount', columns: { 'Tokens revoked': 'revokedCount' } },
      }),
    },
    {
      usage: 'delete <app>',
      confirm: 'Delete the app and uninstall it everywhere?',
      says: 'Delete an app and uninstall it everywhere. Its messages and its name are kept.',
      example: '"Release bot"',
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
  says: 'Apps that are installed in a workspace.',
  verbs: [
    {
      usage: 'list',
      says: 'List the apps that are installed in a workspace, with their users and scopes.',
      example: '',
      run: listOfWorkspace('installations', installation),
    },
  ],
}
