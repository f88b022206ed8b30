import { findAppForAnyActor } from '../apps/access.ts'
import { findInstallation, isInstallationID } from '../apps/installations/installation-access.ts'
import { findWebhook } from '../apps/webhooks/access.ts'
import type { Context } from '../context.ts'
import { invalidField } from '../errors.ts'
import { findDelivery } from '../feeds/deliveries/list-deliveries.ts'
import { findEndpoint } from '../feeds/endpoints/access.ts'
import type { ResolversTypes } from '../generated/resolver-types.ts'
import { findGroupForAnyActor } from '../groups/access.ts'
import { findFile, findMessage } from '../messages/access.ts'
import { findCall } from '../messages/webhook-calls/list-calls.ts'
import { type Prefix, prefixOf } from '../platform/ids.ts'
import { charactersPerNode, inTurns } from '../platform/scheduling/in-turns.ts'
import { findThread } from '../threads/access.ts'
import { findUserEdge, isUserEdgeID } from '../threads/user-edge.ts'
import { findUserForAnyActor } from '../users/access.ts'
import { findWorkspace } from '../workspaces/access.ts'
import { errorsAsValues } from './operations/jit.ts'

type Node = Awaited<ResolversTypes['Node']>

type Finder = {
  type: string
  find: (ctx: Context, id: string) => Promise<object | null | undefined>
  by: 'user' | 'both'
}

const finders: Partial<Record<Prefix | 'edge' | 'installation', Finder>> = {
  wks: { type: 'Workspace', find: findWorkspace, by: 'both' },
  usr: { type: 'User', find: findUserForAnyActor, by: 'both' },
  grp: { type: 'Group', find: findGroupForAnyActor, by: 'both' },
  thr: { type: 'Thread', find: findThread, by: 'user' },
  msg: { type: 'Message', find: findMessage, by: 'user' },
  fil: { type: 'File', find: findFile, by: 'user' },
  edge: { type: 'UserEdge', find: findUserEdge, by: 'user' },
  app: { type: 'App', find: findAppForAnyActor, by: 'both' },
  installation: { type: 'Installation', find: findInstallation, by: 'both' },
  wbh: { type: 'Webhook', find: findWebhook, by: 'both' },
  whc: { type: 'WebhookCall', find: findCall, by: 'user' },
  end: { type: 'EventEndpoint', find: findEndpoint, by: 'both' },
  dlv: { type: 'EventDelivery', find: findDelivery, by: 'both' },
}

/** Returns any object by its ID (Relay's Global Object Identification), or null if the caller cannot see it. */
export async function findNode(ctx: Context, id: string): Promise<Node | null> {
  const kind = kindOf(id)
  const finder = kind && finders[kind]
  if (!finder || (finder.by === 'user' && ctx.actor.kind === 'operator')) return null
  const found = await finder.find(ctx, id)
  return found ? ({ ...found, __typename: finder.type } as unknown as Node) : null
}

function kindOf(id: string): keyof typeof finders | undefined {
  if (isUserEdgeID(id)) return 'edge'
  return isInstallationID(id) ? 'installation' : prefixOf(id)
}

/** Returns objects in the given order. If one look-up fails, the others still return their objects. */
export async function findNodes(ctx: Context, ids: readonly string[]): Promise<Node[]> {
  if (ids.length > 100) throw invalidField('ids', 'must have at most 100 IDs')
  // Waits for a turn of the event loop that has time for this many nodes.
  await inTurns(ctx.db, charactersPerNode * ids.length, () => undefined)
  const found = errorsAsValues(ids.map((id) => findNode(ctx, id)))
  // The generated types allow neither null nor an error in a list.
  return found as Promise<Node[]>
}
