import { createSignInLink } from '../accounts/links/sign-in-links.ts'
import type { Context } from '../context.ts'
import { type Starter, starterPath } from './create-starter-workspace.ts'
import { readStarter } from './read-starter.ts'
import { linkMinutes, signInLink } from './sign-in-links.ts'

/**
 * Returns a text with commands to try in a terminal. The `curl` command reads the webhook's URL from starter.json, so
 * that the key is not on the screen. The text contains no comments, and apostrophes only in pairs, because users paste
 * it into interactive zsh, which does not ignore comments.
 */
export async function welcome({ config, db }: Pick<Context, 'config' | 'db'>): Promise<string> {
  const starter = await readStarter(config.dataDir)
  const parts = [
    `Skein is running at ${config.baseURL}\n`,
    starter ? await signInPart({ config, db }, starter) : '',
    config.explorer ? explorerPart(config.baseURL, starter) : '',
    `Documentation:\n  ${config.baseURL}/docs\n`,
    starter ? webhookPart(starterPath(config.dataDir), starter) : starterPart,
  ]
  return `\n${parts.filter(Boolean).join('\n')}\n`
}

/** Returns the sign-in link of the admin, who is the first person of the starter workspace. */
async function signInPart(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { workspaceID, userIDs: [id] }: Starter,
): Promise<string> {
  if (!config.signInMethods.includes('link')) return `Sign in:\n  ${config.baseURL}/signin\n`
  const admin = await db.user.findFirst({ where: { workspaceID, id, deletedAt: null } })
  if (admin?.email == null) return ''
  const path = await createSignInLink(db, { email: admin.email, workspaceID: null, provesEmail: true })
  return `Sign in as ${admin.name}. The link works once and expires after an hour:\n  ${config.baseURL}${path}\n`
}

const starterPart = `Create a starter workspace with an app and a webhook:
  npm run admin -- starter
`

function explorerPart(baseURL: string, starter: Starter | undefined): string {
  if (!starter) return `Explorer, for trying GraphQL in the browser:\n  ${baseURL}/explorer\n`
  return `Explorer, signed in. The link works once and expires after ${linkMinutes} minutes:\n  ${signInLink({ ...starter, baseURL })}\n`
}

function webhookPart(path: string, { groupID }: Starter): string {
  const body = JSON.stringify({ target: groupID, text: '**Hello** from the terminal' })
  const url = `"$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).webhookURL' ${quoted(path)})"`
  return `Follow the events of the workspace, from another terminal, until you press Ctrl-C:
  npm run admin -- events

Post a message to the webhook, from a third terminal:
  curl -sS -w '\\n' -H 'Content-Type: application/json' -d '${body}' ${url}

Print this text again, with new links:
  npm run admin -- welcome
`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
