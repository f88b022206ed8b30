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
    'Email domain': 'emailDomain',
    Created: 'createdAt',
    Avatar: 'avatarURL',
  },
}

const emailDomain = ['--email-domain <domain>', 'the domain of the email addresses of its people'] as const
const avatarURL = ['--avatar-url <url>', 'the URL of its picture, http or https'] as const
const customApps = onOrOff('--custom-apps <on|off>', 'whether apps can be created in the workspace')

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
      says: 'Create a workspace with its General group.',
      options: [new Option(...emailDomain), new Option(...avatarURL), customApps],
      example: '"Research" --email-domain example.com',
      run: change({ mutation: 'createWorkspace', field: 'workspace', kind: workspace }),
    },
    {
      usage: 'update <workspace>',
      says: 'Change a workspace. Values that you do not specify stay unchanged.',
      options: [newName, ...clearable(...emailDomain), ...clearable(...avatarURL), customApps],
      example: 'Research --custom-apps off --no-avatar-url',
      run: change({ mutation: 'updateWorkspace', field: 'workspace', kind: workspace }),
    },
  ],
}
