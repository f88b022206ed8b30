import { createSignInLink } from '../../src/accounts/links/sign-in-links.ts'
import type { Context } from '../../src/context.ts'
import { emailOf } from './build-team.ts'
import type { Size } from './plan.ts'
import { newHire, seedBusyTeam } from './seed-busy-team.ts'

/** Creates the busy team, unless it exists. Says what it does, and new sign-in links. */
export async function seedOnce(operator: Context, size: Size, say: (text: string) => void): Promise<void> {
  // The new hire is created last. A run that was interrupted leaves a workspace without one.
  if (await operator.db.user.findFirst({ where: { email: newHire.email } })) say('The busy team exists.')
  else {
    say('Creating the busy team. This takes a minute or two ...')
    await seedBusyTeam(operator, size)
  }
  const links = { 'a busy member': emailOf(1), 'a new hire': newHire.email, 'an admin': emailOf(0) }
  for (const [who, email] of Object.entries(links)) {
    const path = await createSignInLink(operator.db, { email, workspaceID: null, provesEmail: true })
    say(
      `Sign in as ${who}. The link works once and expires after an hour:\n  ${operator.config.baseURL}${path}`,
    )
  }
}
