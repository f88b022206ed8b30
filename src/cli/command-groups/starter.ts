import { flatten, type Subcommand } from '../subcommands.ts'

const document = 'mutation { createStarterWorkspace { workspace { id name } path welcome } }'

export const starter: Subcommand = {
  usage: 'starter',
  description: 'Create the starter workspace and print what to try first.',
  example: '',
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
