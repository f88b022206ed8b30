import type { Context } from '../context.ts'
import { invalidField } from '../errors.ts'

// The length is limited, because a document can select the value many times.
const maxCharacters = 255

type Input = { clientMutationId?: string | null }
type Resolve = (root: unknown, args: { input: Input }, ctx: Context, info: unknown) => unknown

/** Makes every mutation return its input's `clientMutationId` (Relay), which verbs never see. */
export function echoClientMutationIDs(mutations: object): object {
  const echoing = Object.entries(mutations).map(([name, resolve]) => [name, echo(resolve as Resolve)])
  return Object.fromEntries(echoing)
}

function echo(resolve: Resolve): Resolve {
  return async (root, args, ctx, info) => {
    const { clientMutationId = null, ...input } = args.input
    if (clientMutationId !== null && clientMutationId.length > maxCharacters) {
      throw invalidField('clientMutationId', `must have at most ${maxCharacters} characters`)
    }
    const payload = await resolve(root, { ...args, input }, ctx, info)
    return payload ? { ...payload, clientMutationId } : payload
  }
}
