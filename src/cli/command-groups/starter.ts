import { flat, type Verb } from '../verbs.ts'

const document = 'mutation { createStarterWorkspace { workspace { id name } path welcome } }'

export const starter: Verb = {
  usage: 'starter',
  says: 'Create the starter workspace and print what to try first.',
  example: '',
  run: async (client) => {
    const { createStarterWorkspace: made } = (await client(document)) as {
      createStarterWorkspace: { welcome: string; [field: string]: unknown }
    }
    return { json: flat(made, 'workspace'), text: made.welcome.trim() }
  },
}

export const welcome: Verb = {
  usage: 'welcome',
  says: 'Print what to try first, with a new one-time link to the explorer.',
  example: '',
  run: async (client) => {
    const { createWelcome: made } = (await client('mutation { createWelcome { welcome } }')) as {
      createWelcome: { welcome: string }
    }
    return { json: made, text: made.welcome.trim() }
  },
}
