import { Option } from 'commander'
import { defaultScopes, scopes } from '../../scopes.ts'
import { clearable, newName, repeatable } from '../options.ts'
import { type CommandGroup, listOfWorkspace, type ObjectType, runMutation } from '../subcommands.ts'

const app: ObjectType = {
  fields: 'id name description redirectURIs isPublic isListed createdAt deletedAt',
  columns: {
    ID: 'id',
    Public: 'isPublic',
    Listed: 'isListed',
    Created: 'createdAt',
    Name: 'name',
    Description: 'description',
    'Redirect URIs': 'redirectURIs',
  },
}

const installation: ObjectType = {
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

const redirectURI = [
  '--redirect-uri <uri>',
  'a redirect URI: https, http on a loopback address, or a private-use scheme',
] as const
const scope = repeatable(
  '--scope <scope>',
  `a scope to grant: ${scopes.join(', ')}; by default, an existing installation keeps its scopes, ` +
    `and a new one gets ${defaultScopes.join(', ')}`,
)

const description = [
  '--description <text>',
  'what the app does, at most 1,000 characters; shown when it requests access',
] as const
const isPublic = new Option('--public', 'create an app that has no client secret and must use PKCE')
const isListed = new Option('--listed', 'let admins of other workspaces install the app')
const isUnlisted = new Option('--unlisted', 'let only the workspace that manages the app install it')

export const apps: CommandGroup = {
  name: 'apps',
  description: 'OAuth clients. An app is managed in one workspace and can be installed in any workspace.',
  subcommands: [
    {
      usage: 'list',
      description: 'List the apps that are managed in a workspace.',
      example: '',
      run: listOfWorkspace('apps', app),
    },
    {
      usage: 'create <name>',
      description: 'Create an app and install it in its workspace. Its client secret is shown only once.',
      options: [
        new Option(...description),
        repeatable(...redirectURI).makeOptionMandatory(),
        scope,
        isPublic,
        isListed,
      ],
      example: '"Release bot" --redirect-uri https://bot.example.com/callback --scope threads:read',
      run: runMutation({
        mutation: 'createApp',
        inWorkspace: true,
        field: 'app',
        type: app,
        more: {
          fields: `clientID ${secret.fields} installation { ${installation.fields} }`,
          columns: {
            User: 'installation.user.id',
            Scopes: 'installation.scopes',
            'Client ID': 'clientID',
            ...secret.columns,
          },
          note: ({ isPublic }) => (isPublic ? undefined : secret.note),
        },
      }),
    },
    {
      usage: 'update <app>',
      description: 'Change an app. New redirect URIs replace all of its redirect URIs.',
      options: [
        newName,
        ...clearable(...description),
        repeatable(...redirectURI),
        isListed,
        isUnlisted.implies({ listed: false }),
      ],
      example: '"Release bot" --redirect-uri https://bot.example.com/oauth',
      run: runMutation({ mutation: 'updateApp', field: 'app', type: app }),
    },
    {
      usage: 'install <app>',
      description: 'Install an app in a workspace, or change the scopes of its installation.',
      options: [scope],
      example: '"Release bot" --scope threads:read --scope groups:read',
      run: runMutation({
        mutation: 'installApp',
        inWorkspace: true,
        field: 'installation',
        type: installation,
      }),
    },
    {
      usage: 'uninstall <app>',
      description: 'Uninstall an app from a workspace and revoke its tokens there.',
      confirm: 'Uninstall the app and revoke its tokens?',
      example: '"Release bot"',
      run: runMutation({ mutation: 'uninstallApp', inWorkspace: true, field: 'app', type: app }),
    },
    {
      usage: 'rotate-secret <app>',
      description:
        'Issue a new client secret for an app, shown only once. The old one stops working immediately.',
      example: '"Release bot"',
      run: runMutation({ mutation: 'rotateClientSecret', field: 'app', type: app, more: secret }),
    },
    {
      usage: 'revoke-tokens <app>',
      description: 'Revoke the access tokens of an app in a workspace. The app can request new ones.',
      example: '"Release bot"',
      run: runMutation({
        mutation: 'revokeAccessTokens',
        inWorkspace: true,
        type: { fields: 'revokedCount', columns: { 'Tokens revoked': 'revokedCount' } },
      }),
    },
    {
      usage: 'delete <app>',
      confirm: 'Delete the app and uninstall it everywhere?',
      description: 'Delete an app and uninstall it everywhere. Its messages and its name are kept.',
      example: '"Release bot"',
      run: runMutation({
        mutation: 'deleteApp',
        field: 'app',
        type: { fields: app.fields, columns: { ...app.columns, Deleted: 'deletedAt' } },
      }),
    },
  ],
}

export const installations: CommandGroup = {
  name: 'installations',
  description: 'Apps that are installed in a workspace.',
  subcommands: [
    {
      usage: 'list',
      description: 'List the apps that are installed in a workspace, with their users and scopes.',
      example: '',
      run: listOfWorkspace('installations', installation),
    },
  ],
}
