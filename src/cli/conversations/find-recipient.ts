import { type Skein, SkeinError } from '../../sdk/index.ts'
import { listAll, pageOf } from '../client.ts'
import { Failure } from '../failure.ts'
import { type Named, nodesOf, pick } from '../references.ts'

/** Returns the ID of a thread, or of the group or user that a text names. Throws Failure. */
export async function findRecipient(skein: Skein, text: string): Promise<string> {
  if (/^(thr|grp|wks|usr)_[0-9A-Za-z]+$/.test(text)) return text
  const found = text.includes('@') ? await usersByEmail(skein, text) : []
  return pick('group or user', text, found.length > 0 ? found : await everyone(skein))
}

async function usersByEmail(skein: Skein, email: string): Promise<Named[]> {
  const document = 'query ($email: String!) { users(email: $email) { nodes { id name email } } }'
  try {
    return (await skein.request<{ users: { nodes: Named[] } }>(document, { email })).users.nodes
  } catch (error) {
    if (!(error instanceof SkeinError && error.code === 'INSUFFICIENT_SCOPE')) throw error
    throw new Failure(
      'The app cannot find users by email address, because it lacks the scope users.email:read. Use the name or the ID.',
    )
  }
}

async function everyone(skein: Skein): Promise<Named[]> {
  const list = async (path: string, fields: string) => {
    const document = `query ($after: String) { ${path}${pageOf(fields)} }`
    const client = (document: string, variables?: object) => skein.request(document, { ...variables })
    return nodesOf(await listAll(client, { document, path, variables: {} }))
  }
  return [...(await list('groups', 'id name')), ...(await list('users', 'id name email'))]
}
