import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { type AppError, toAppError } from '../../errors.ts'
import { workspaceIDFor } from '../../groups/access.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, parseInput } from '../../input.ts'
import { type Invited, invite, inviteeSchema } from './invite-person.ts'

const mostPeople = 100
/** Each invitation waits for the mail server most of the time. */
const atOnce = 5

type Person = z.input<typeof inviteeSchema>

// `invite` parses each person on its own, because a person who is not valid must not stop the other invitations.
const inputSchema = z.object({
  workspaceID: id,
  people: z
    .array(z.custom<Person>())
    .min(1, 'must have at least one person')
    .max(mostPeople, `must have at most ${mostPeople} people`),
})

export type InvitationResult = {
  email: string
  user?: Invited['user']
  invitationURL?: Invited['invitationURL']
  problem?: { code: string; reason: string | null; message: string }
}

/** Invites people. Returns a result for each, in the order of the input. A failure does not stop the other invitations. */
export async function invitePeople(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<InvitationResult[]> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { workspaceID: named, people } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const workspaceID = workspaceIDFor(ctx, named)
  // A second invitation of the same address would replace the first one.
  const addresses = people.map(({ email }) => email.toLowerCase())
  const unique = people.filter(({ email }, index) => addresses.indexOf(email.toLowerCase()) === index)
  const results = new Map<string, InvitationResult>()
  for (let start = 0; start < unique.length; start += atOnce) {
    const invited = unique.slice(start, start + atOnce).map((person) => resultOf(ctx, workspaceID, person))
    for (const result of await Promise.all(invited)) results.set(result.email.toLowerCase(), result)
  }
  return addresses.flatMap((address) => results.get(address) ?? [])
}

async function resultOf(ctx: Context, workspaceID: string, person: Person): Promise<InvitationResult> {
  const { email } = person
  try {
    return { email, ...(await invite(ctx, workspaceID, parseInput(inviteeSchema, person))) }
  } catch (error) {
    const failure = toAppError(error)
    if (failure.status >= 500) ctx.log.error({ err: failure.cause ?? failure }, 'an invitation failed')
    const { code, reason } = failure
    const problem = { code: code.toUpperCase(), reason: reason?.toUpperCase() ?? null }
    return { email, problem: { ...problem, message: sentenceOf(failure) } }
  }
}

/** Returns the message, without the words that say only that the request failed. */
function sentenceOf({ message, errors }: AppError): string {
  if (errors.length === 0) return message
  return errors
    .map((error) => `${error.field.charAt(0).toUpperCase()}${error.field.slice(1)} ${error.message}.`)
    .join(' ')
}
