import { setTimeout as sleep } from 'node:timers/promises'
import { accessOfRover, seesAll, seesPublic } from '../deployment/cast.ts'
import type { Receiver as ReceivingServer } from '../deployment/receiver.ts'
import { operatorToken } from '../deployment/service-process.ts'
import { type Member, Setup } from '../deployment/setup.ts'
import type { Hearer, Log, Receiver } from '../history.ts'
import type { Desk } from '../writers/desk.ts'

const pollMs = 500
const deliveredMs = 180_000
/** A failed attempt is repeated after 10 seconds, after a minute, and then only after 10 minutes. */
const ownAttempts = 3

type Endpoint = Hearer & { id: string; path: string }

export type Endpoints = {
  /** Waits until everything is delivered, but not longer than `deliveredMs`. */
  untilDelivered: (logs: Log[]) => Promise<void>
  receivers: () => Promise<Receiver[]>
}

/** Creates endpoints on the receiving server, for apps with different rights. */
export async function createEndpoints(desk: Desk, server: ReceivingServer): Promise<Endpoints> {
  const setup = new Setup(desk.client, desk.recorder.url())
  const endpoints: Endpoint[] = []
  for (const { path, member, ...role } of rolesIn(desk)) {
    const id = await setup.endpoint(member.appID, `${server.url}${path}`)
    endpoints.push({ id, path, userID: member.userID, ...role })
  }
  const receiptsOf = async (endpoint: Endpoint): Promise<Receiver> => ({
    ...endpoint,
    receipts: await server.receivedAt(endpoint.path),
  })
  const isDelivered = async (endpoint: Endpoint, { events }: Log) => {
    const { receipts } = await receiptsOf(endpoint)
    const last = events.at(-1)?.id
    const pending = await pendingOf(desk, endpoint)
    await replayLate(desk, pending ?? [])
    return pending?.length === 0 && receipts.some(({ eventID }) => eventID === last)
  }
  return {
    receivers: () => Promise.all(endpoints.map(receiptsOf)),
    untilDelivered: async (logs) => {
      for (let waited = 0; waited < deliveredMs; waited += pollMs) {
        const pairs = logs.flatMap((log) =>
          endpoints
            .filter(({ workspaceID }) => workspaceID === log.workspaceID)
            .map((endpoint) => isDelivered(endpoint, log)),
        )
        if ((await Promise.all(pairs)).every((isDone) => isDone)) return
        await sleep(pollMs)
      }
    },
  }
}

type Role = Omit<Hearer, 'userID'> & { path: string; member: Member }

function rolesIn({ cast }: Desk): Role[] {
  const { workspaceID, elsewhereID, witness, outsider, rover, stranger } = cast
  return [
    { name: 'the witness', path: '/witness', member: witness, workspaceID, access: seesAll },
    { name: 'the outsider', path: '/outsider', member: outsider, workspaceID, access: seesPublic },
    { name: 'the rover', path: '/rover', member: rover, workspaceID, access: accessOfRover(cast) },
    {
      name: 'the stranger',
      path: '/stranger',
      member: stranger,
      workspaceID: elsewhereID,
      access: seesPublic,
    },
  ]
}

type Pending = { id: string; attemptCount: number }

/** Returns pending deliveries of the endpoint, or undefined if the service does not answer. */
async function pendingOf(desk: Desk, { id }: Endpoint): Promise<Pending[] | undefined> {
  const query =
    'query ($id: ID!) { deliveries(endpointID: $id, status: pending) { nodes { id attemptCount } } }'
  return (await ask<{ nodes: Pending[] }>(desk, query, id))?.nodes
}

async function replayLate(desk: Desk, pending: readonly Pending[]): Promise<void> {
  const replay = 'mutation ($id: ID!) { replayDelivery(input: { deliveryID: $id }) { delivery { id } } }'
  for (const { id, attemptCount } of pending) if (attemptCount >= ownAttempts) await ask(desk, replay, id)
}

async function ask<Value>({ client, recorder }: Desk, query: string, id: string): Promise<Value | undefined> {
  return (await client.ask<Value>(`${recorder.url()}/public/graphql`, operatorToken, query, { id })).value
}
