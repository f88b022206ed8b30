import { Option } from 'commander'
import { clearable, newName, onOrOff } from '../options.ts'
import {
  type CommandGroup,
  flatten,
  listOfAll,
  type ObjectType,
  runMutation,
  type Subcommand,
} from '../subcommands.ts'

const workspace: ObjectType = {
  fields: 'id name emailDomain avatarURL customAppsEnabled createdAt',
  columns: {
    ID: 'id',
    Name: 'name',
    'Custom apps': 'customAppsEnabled',
    'Email domain': 'emailDomain',
    Created: 'createdAt',
    Avatar: 'avatarURL',
  },
}

const emailDomain = [
  '--email-domain <domain>',
  'an email domain, for information; people can have addresses in other domains',
] as const
const avatarURL = ['--avatar-url <url>', 'the http or https URL of a picture'] as const
const customApps = onOrOff('--custom-apps <on|off>', 'whether apps can be created in the workspace')

export const workspaces: CommandGroup = {
  name: 'workspaces',
  description: 'Workspaces, each with its own users, groups and threads.',
  subcommands: [
    {
      usage: 'list',
      description: 'List all workspaces.',
      example: '',
      run: listOfAll('workspaces', workspace),
    },
    {
      usage: 'create <name>',
      description: 'Create a workspace with its General group.',
      options: [new Option(...emailDomain), new Option(...avatarURL), customApps],
      example: '"Research" --email-domain example.com',
      run: runMutation({ mutation: 'createWorkspace', field: 'workspace', type: workspace }),
    },
    {
      usage: 'update <workspace>',
      description: 'Change a workspace. Values that you do not specify stay unchanged.',
      options: [newName, ...clearable(...emailDomain), ...clearable(...avatarURL), customApps],
      example: 'Research --custom-apps off --no-avatar-url',
      run: runMutation({ mutation: 'updateWorkspace', field: 'workspace', type: workspace }),
    },
  ],
}

const document = 'mutation { createStarterWorkspace { workspace { id name } path welcome } }'

const removal =
  'mutation ($input: RemoveStarterWorkspaceInput!) { removeStarterWorkspace(input: $input) { removedWorkspaceID } }'

const removeStarter: Subcommand = {
  usage: 'remove',
  description:
    'Remove the starter workspace with its messages, and starter.json. It is not created again by itself.',
  options: [new Option('--force', 'remove it even if it has other people, apps or webhooks')],
  example: '--yes',
  confirm: 'Remove the starter workspace with everything in it, and its credentials?',
  run: async (client, command, { confirm }) => {
    await confirm()
    const { force = false } = command.opts<{ force?: true }>()
    const { removeStarterWorkspace: removed } = (await client(removal, { input: { force } })) as {
      removeStarterWorkspace: { removedWorkspaceID: string | null }
    }
    const id = removed.removedWorkspaceID
    return { json: removed, text: id ? `Removed ${id}.` : 'There is no starter workspace.' }
  },
}

export const starter: Subcommand = {
  usage: 'starter',
  description: 'Create the starter workspace and print what to try first.',
  example: '',
  subcommands: [removeStarter],
  run: async (client) => {
    const { createStarterWorkspace: created } = (await client(document)) as {
      createStarterWorkspace: { welcome: string; [field: string]: unknown }
    }
    return { json: flatten(created, 'workspace'), text: created.welcome.trim() }
  },
}

export const welcome: Subcommand = {
  usage: 'welcome',
  description: 'Print what to try first, with new one-time links.',
  example: '',
  run: async (client) => {
    const { createWelcome: created } = (await client('mutation { createWelcome { welcome } }')) as {
      createWelcome: { welcome: string }
    }
    return { json: created, text: created.welcome.trim() }
  },
}
