import { flat, type Verb } from '../verbs.ts'

const document = 'mutation { createStarterWorkspace { workspace { id name } path welcome } }'

export const starter: Verb = {
  usage: 'starter',
  says: 'Make a workspace to try things out in, and say what to try.',
  example: '',
  run: async (client) => {
    const { createStarterWorkspace: made } = (await client(document)) as {
      createStarterWorkspace: { welcome: string; [field: string]: unknown }
    }
    return { json: flat(made, 'workspace'), text: made.welcome.trim() }
  },
}
