import type { Skein } from '../../sdk/index.ts'
import { pick } from '../references.ts'

/** Returns the ID of a thread, or of the group or user that a text names. Throws Failure. */
export async function findRecipient(skein: Skein, text: string): Promise<string> {
  if (/^(thr|grp|wks|usr)_[0-9A-Za-z]+$/.test(text)) return text
  const named: { id: string; name: string; email?: string | null }[] = []
  for await (const group of skein.groups()) named.push(group)
  for await (const user of skein.users()) named.push(user)
  return pick('group or user', text, named)
}
