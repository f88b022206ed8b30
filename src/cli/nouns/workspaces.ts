import { Option } from 'commander'
import { listAll, pageOf } from '../client.ts'
import { clearable, newName, onOrOff } from '../options.ts'
import { change, type Kind, listAnswer, type Noun } from '../verbs.ts'

const workspace: Kind = {
  fields: 'id name emailDomain avatarURL customAppsEnabled createdAt',
  columns: {
    ID: 'id',
    Name: 'name',
    'Custom apps': 'customAppsEnabled',
    'E-mail domain': 'emailDomain',
    Created: 'createdAt',
    Avatar: 'avatarURL',
  },
}

const emailDomain = ['--email-domain <domain>', "the domain of its people's electronic mail"] as const
const avatarURL = ['--avatar-url <url>', 'the address of its picture, http or https'] as const
const customApps = onOrOff('--custom-apps <on|off>', 'whether apps can be made in it')

export const workspaces: Noun = {
  name: 'workspaces',
  says: 'Workspaces, each with its own users, groups and threads.',
  verbs: [
    {
      usage: 'list',
      says: 'List all workspaces.',
      example: '',
      run: async (client) => {
        const document = `query ($after: String) { workspaces${pageOf(workspace.fields)} }`
        const edges = await listAll(client, { document, path: 'workspaces', variables: {} })
        return listAnswer(workspace.columns, edges)
      },
    },
    {
      usage: 'create <name>',
      says: 'Make a workspace with its General group.',
      options: [new Option(...emailDomain), new Option(...avatarURL), customApps],
      example: '"Research" --email-domain example.com',
      run: change({ mutation: 'createWorkspace', field: 'workspace', kind: workspace }),
    },
    {
      usage: 'update <workspace>',
      says: 'Change a workspace. What is left out stays.',
      options: [newName, ...clearable(...emailDomain), ...clearable(...avatarURL), customApps],
      example: 'Research --custom-apps off --no-avatar-url',
      run: change({ mutation: 'updateWorkspace', field: 'workspace', kind: workspace }),
    },
  ],
}
