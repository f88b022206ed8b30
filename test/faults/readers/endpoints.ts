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
    const isPending = await hasPending(desk, endpoint)
    return !isPending && receipts.some(({ eventID }) => eventID === last)
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

/** Returns whether the endpoint has pending deliveries. Replays a delivery whose next attempt is too far away. */
async function hasPending({ client, recorder }: Desk, { id }: Endpoint): Promise<boolean> {
  const ask = <Value>(query: string, variables: object) =>
    client.ask<Value>(`${recorder.url()}/public/graphql`, operatorToken, query, variables)
  type Page = { nodes: { id: string; attemptCount: number }[] }
  const { value } = await ask<Page>(
    'query ($id: ID!) { deliveries(endpointID: $id, status: pending) { nodes { id attemptCount } } }',
    { id },
  )
  const late = value?.nodes.filter(({ attemptCount }) => attemptCount >= ownAttempts) ?? []
  const replay = 'mutation ($id: ID!) { replayDelivery(input: { deliveryID: $id }) { delivery { id } } }'
  for (const { id } of late) await ask(replay, { id })
  return value === undefined || value.nodes.length > 0
}
