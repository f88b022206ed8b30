import { type Skein, SkeinError } from '../../sdk/index.ts'
import { Failure } from '../failure.ts'
import { type Candidate, pick } from '../references.ts'

export async function resolveConversation(skein: Skein, text: string): Promise<string> {
  if (/^(thr|grp|wks|usr)_[0-9A-Za-z]+$/.test(text)) return text
  const found = text.includes('@') ? await usersByEmail(skein, text) : []
  return pick('group or user', text, found.length > 0 ? found : await everyone(skein))
}

async function usersByEmail(skein: Skein, email: string): Promise<Candidate[]> {
  try {
    return await all(skein.users({ email }))
  } catch (error) {
    if (!(error instanceof SkeinError && error.code === 'INSUFFICIENT_SCOPE')) throw error
    throw new Failure(
      'The app cannot find users by email address: it lacks the scope users.email:read. Use a name or an ID.',
    )
  }
}

async function everyone(skein: Skein): Promise<Candidate[]> {
  return [...(await all(skein.groups())), ...(await all(skein.users()))]
}

async function all(list: AsyncIterable<Candidate>): Promise<Candidate[]> {
  const found: Candidate[] = []
  for await (const each of list) found.push(each)
  return found
}
