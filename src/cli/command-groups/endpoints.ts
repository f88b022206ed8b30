import { Option } from 'commander'
import { listAll, pageSelection } from '../client.ts'
import { eventTypes } from '../options.ts'
import { type Columns, valueAt } from '../print.ts'
import {
  type CommandGroup,
  type ObjectType,
  rowsOutput,
  runMutation,
  type Subcommand,
  workspaceOf,
} from '../subcommands.ts'

const columns: Columns = {
  ID: 'id',
  App: 'appID',
  Webhook: 'webhookID',
  State: 'state',
  'Failing since': 'failingSince',
  Types: 'types',
  Group: 'groupID',
  URL: 'url',
}
const endpoint: ObjectType = {
  fields: 'id url types groupID appID webhookID state failingSince createdAt',
  columns,
}

const secret = {
  fields: 'secret',
  columns: { Secret: 'secret' },
  note: 'Save the signing secret now: it is not shown again. Share it only with the receiver.',
}

const group = new Option('--group <group>', 'the ID of the group whose events are sent')
const create = { mutation: 'createEventEndpoint', field: 'eventEndpoint', type: endpoint, more: secret }

export const endpoints: CommandGroup = {
  name: 'endpoints',
  description: 'URLs to which the service sends events. An endpoint belongs to an app or to a webhook.',
  subcommands: [
    {
      usage: 'list',
      description: 'List the endpoints of the apps and webhooks of a workspace.',
      example: '',
      run: listEndpoints,
    },
    {
      usage: 'create <app> <url>',
      description: 'Create an endpoint of an app. Its signing secret is shown only once.',
      options: [eventTypes, group],
      example: '"Release bot" https://bot.example.com/events --type messageCreated',
      run: runMutation(create),
    },
    {
      usage: 'create-for-webhook <webhook> <url>',
      description: 'Create an endpoint that receives the events of the threads that a webhook started.',
      options: [eventTypes],
      example: 'Pipeline https://ci.example.com/events',
      run: runMutation(create),
    },
    {
      usage: 'update <endpoint>',
      description: 'Change the URL, the types or the group of an endpoint.',
      options: [
        new Option('--to <url>', 'the new URL'),
        eventTypes,
        new Option('--no-type', 'send all types'),
        group,
        new Option('--no-group', 'send the events of all groups'),
      ],
      example: 'end_... --to https://bot.example.com/hook',
      run: runMutation({ mutation: 'updateEventEndpoint', field: 'eventEndpoint', type: endpoint }),
    },
    {
      usage: 'rotate-secret <endpoint>',
      description:
        'Issue a new signing secret, shown only once. For 24 hours, the old secret also signs the events.',
      example: 'end_...',
      run: runMutation({
        mutation: 'rotateEventEndpointSecret',
        field: 'eventEndpoint',
        type: endpoint,
        more: secret,
      }),
    },
    {
      usage: 'enable <endpoint>',
      description: 'Enable an endpoint that was paused or disabled. It continues where it stopped.',
      example: 'end_...',
      run: runMutation({ mutation: 'enableEventEndpoint', field: 'eventEndpoint', type: endpoint }),
    },
    {
      usage: 'disable <endpoint>',
      description: 'Disable an endpoint. No events are sent to it until it is enabled.',
      example: 'end_...',
      run: runMutation({ mutation: 'disableEventEndpoint', field: 'eventEndpoint', type: endpoint }),
    },
    {
      usage: 'test <endpoint>',
      description: 'Send a test event to an endpoint.',
      example: 'end_...',
      run: runMutation({
        mutation: 'sendTestEvent',
        field: 'delivery',
        type: {
          fields: 'id eventID status',
          columns: { Delivery: 'id', Event: 'eventID', Status: 'status' },
        },
        more: { fields: '', columns: {}, note: 'To see the outcome, run: deliveries show <delivery>' },
      }),
    },
    {
      usage: 'delete <endpoint>',
      confirm: 'Delete the endpoint permanently?',
      description: 'Delete an endpoint permanently.',
      example: 'end_...',
      run: runMutation({
        mutation: 'deleteEventEndpoint',
        type: { fields: 'removedEventEndpointID', columns: { Deleted: 'removedEventEndpointID' } },
      }),
    },
    {
      usage: 'reencrypt',
      description:
        'Encrypt all signing secrets with ENCRYPTION_KEY, so that the previous key can be removed.',
      example: '',
      run: runMutation({
        mutation: 'reencryptEventSecrets',
        type: {
          fields: 'endpointCount webhookCount failedCount',
          columns: {
            Encrypted: 'endpointCount',
            'Of webhooks': 'webhookCount',
            'Without a known key': 'failedCount',
          },
        },
      }),
    },
  ],
}

async function listEndpoints(...[client, command]: Parameters<Subcommand['run']>) {
  const variables = { workspaceID: await workspaceOf(client, command) }
  const rows: unknown[] = []
  for (const owner of ['apps', 'webhooks']) {
    const fields = `eventEndpoints { ${endpoint.fields} }`
    const document = `query ($workspaceID: ID!, $after: String) {
      workspace(id: $workspaceID) { ${owner}${pageSelection(fields)} } }`
    const owners = await listAll(client, { document, path: `workspace.${owner}`, variables })
    rows.push(...owners.flatMap((owner) => valueAt(owner, 'eventEndpoints') ?? []))
  }
  return rowsOutput(columns, rows)
}
