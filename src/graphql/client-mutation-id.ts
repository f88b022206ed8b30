import type { Context } from '../context.ts'
import { invalidField } from '../errors.ts'

// It is answered as often as a document asks for it.
const maxCharacters = 255

type Input = { clientMutationId?: string | null }
type Resolve = (root: unknown, args: { input: Input }, ctx: Context, info: unknown) => unknown

/**
 * Has every mutation answer the `clientMutationId` of its input (Relay's Input Object Mutations). No verb knows of it.
 * Throws `invalid_input` for one that is too long.
 */
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
