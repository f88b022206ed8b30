import { Option } from 'commander'
import { Failure } from '../failure.ts'
import { type Columns, detailsOf, tableOf, valueAt } from '../print.ts'
import {
  argumentsOf,
  type CommandGroup,
  type ObjectType,
  rowsOutput,
  runMutation,
  type Subcommand,
} from '../subcommands.ts'

const shown = 100

const delivery: ObjectType = {
  fields: 'id eventID type eventWorkspaceID threadID objectID status attemptCount createdAt',
  columns: {
    ID: 'id',
    Created: 'createdAt',
    Status: 'status',
    Attempts: 'attemptCount',
    Type: 'type',
    Object: 'objectID',
    Event: 'eventID',
  },
}

const attempts: Columns = {
  Attempt: 'number',
  Started: 'startedAt',
  Milliseconds: 'durationMs',
  Status: 'status',
  Error: 'error',
  Response: 'response',
}

export const deliveries: CommandGroup = {
  name: 'deliveries',
  description: 'Events that were sent, or are to be sent, to endpoints.',
  subcommands: [
    {
      usage: 'list <endpoint>',
      description: `List the last ${shown} deliveries of an endpoint, newest first.`,
      options: [
        new Option('--status <status>', 'only deliveries with this status').choices([
          'pending',
          'succeeded',
          'failed',
          'dropped',
          'skipped',
        ]),
      ],
      example: 'end_... --status failed',
      run: listDeliveries,
    },
    {
      usage: 'show <delivery>',
      description: 'Show a delivery with its attempts.',
      example: 'dlv_...',
      run: showDelivery,
    },
    {
      usage: 'replay <delivery>',
      description: 'Send the event of a delivery again.',
      example: 'dlv_...',
      run: runMutation({ mutation: 'replayDelivery', field: 'delivery', type: delivery }),
    },
    {
      usage: 'skip <delivery>',
      description:
        'End a pending delivery without sending its event. The next event of its thread is sent now.',
      example: 'dlv_...',
      run: runMutation({ mutation: 'skipDelivery', field: 'delivery', type: delivery }),
    },
    {
      usage: 'replay-all <endpoint>',
      description:
        'Send events again: the events whose deliveries failed (--failed), or all events since a time (--since).',
      options: [
        new Option('--failed', 'only events whose deliveries failed'),
        new Option('--since <time>', 'events since this time, such as 2026-01-31T12:00:00Z'),
        new Option('--until <time>', 'events before this time'),
      ],
      example: 'end_... --failed',
      run: runMutation({
        mutation: 'replayDeliveries',
        type: { fields: 'deliveryCount', columns: { Deliveries: 'deliveryCount' } },
      }),
    },
  ],
}

async function listDeliveries(...[client, command]: Parameters<Subcommand['run']>) {
  const variables = { ...(await argumentsOf(client, command)), ...command.opts<{ status?: string }>() }
  const data = await client(
    `query ($endpointID: ID!, $status: EventDeliveryStatus) {
      deliveries(endpointID: $endpointID, status: $status, last: ${shown}) { nodes { ${delivery.fields} } } }`,
    variables,
  )
  return rowsOutput(delivery.columns, (valueAt(data, 'deliveries.nodes') as unknown[]).toReversed())
}

async function showDelivery(...[client, command]: Parameters<Subcommand['run']>) {
  const { deliveryID } = await argumentsOf(client, command)
  const data = await client(
    `query ($deliveryID: ID!) { node(id: $deliveryID) { ... on EventDelivery {
      ${delivery.fields} attempts { number startedAt durationMs status error response } } } }`,
    { deliveryID },
  )
  const json = valueAt(data, 'node')
  if (json === null) throw new Failure(`No delivery has the ID "${deliveryID}".`)
  const table = tableOf(attempts, valueAt(json, 'attempts') as unknown[])
  return { json, text: `${detailsOf(delivery.columns, json)}\n\n${table}` }
}
