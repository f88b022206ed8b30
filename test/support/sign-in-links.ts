import { createSignInLink } from '../../src/accounts/links/sign-in-links.ts'
import type { Context } from '../../src/context.ts'

/** Returns the path of a new sign-in link for the owner of an email address. */
export async function linkPathFor({ db }: Context, email: string): Promise<string> {
  return createSignInLink(db, { email, workspaceID: null, provesEmail: true })
}
