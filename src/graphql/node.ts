import { findApp } from '../apps/access.ts'
import { findWebhook } from '../apps/webhooks/access.ts'
import type { Context } from '../context.ts'
import { invalidField } from '../errors.ts'
import type { ResolversTypes } from '../generated/resolver-types.ts'
import { findGroup } from '../groups/access.ts'
import { findFile, findMessage } from '../messages/access.ts'
import { type Prefix, prefixOf } from '../platform/ids.ts'
import { findThread } from '../threads/access.ts'
import { findUserEdge, isUserEdgeID } from '../threads/user-edge.ts'
import { findUser } from '../users/access.ts'
import { findWorkspace } from '../workspaces/access.ts'

type Found = object | null | undefined
type Node = Awaited<ResolversTypes['Node']>

const finders: Partial<
  Record<Prefix, [typename: string, find: (ctx: Context, id: string) => Promise<Found>]>
> = {
  wks: ['Workspace', findWorkspace],
  usr: ['User', findUser],
  grp: ['Group', findGroup],
  thr: ['Thread', findThread],
  msg: ['Message', findMessage],
  fil: ['File', findFile],
  app: ['App', findApp],
  wbh: ['Webhook', findWebhook],
}

/** Any object by its ID (Relay's Global Object Identification), or null. Throws `forbidden`. */
export async function findNode(ctx: Context, id: string): Promise<Node | null> {
  if (isUserEdgeID(id)) return named('UserEdge', await findUserEdge(ctx, id))
  const prefix = prefixOf(id)
  const finder = prefix && finders[prefix]
  if (!finder) return null
  const [typename, find] = finder
  return named(typename, await find(ctx, id))
}

/** Several at once, in the order given, each failing by itself. Throws `invalid_input` for more than 100. */
export function findNodes(ctx: Context, ids: readonly string[]): Promise<Node>[] {
  if (ids.length > 100) throw invalidField('ids', 'must have at most 100 IDs')
  // The generated types know no promise of null in a list.
  return ids.map((id) => findNode(ctx, id) as Promise<Node>)
}

function named(typename: string, found: Found): Node | null {
  return found ? ({ ...found, __typename: typename } as unknown as Node) : null
}
