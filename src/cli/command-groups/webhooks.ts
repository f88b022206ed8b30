import { Option } from 'commander'
import { testWebhook } from '../conversations/test-webhook.ts'
import { Failure } from '../failure.ts'
import { clearable, newName } from '../options.ts'
import { valueAt } from '../print.ts'
import {
  argumentsOf,
  type CommandGroup,
  listOfWorkspace,
  type ObjectType,
  rowsOutput,
  runMutation,
  type Subcommand,
} from '../subcommands.ts'

const webhook: ObjectType = {
  fields: 'id name description user { id } createdAt lastUsedAt disabledAt deletedAt',
  columns: {
    ID: 'id',
    User: 'user.id',
    Created: 'createdAt',
    'Last used': 'lastUsedAt',
    Disabled: 'disabledAt',
    Name: 'name',
    Description: 'description',
  },
}

const call: ObjectType = {
  fields:
    'id createdAt method format status sizeBytes createdCount updatedCount staleCount skipped ignored problems',
  columns: {
    Answered: 'createdAt',
    Status: 'status',
    Method: 'method',
    Format: 'format',
    Bytes: 'sizeBytes',
    Created: 'createdCount',
    Updated: 'updatedCount',
    Stale: 'staleCount',
    Skipped: 'skipped',
    Ignored: 'ignored',
    Problems: 'problems',
  },
}

const url = {
  fields: 'url',
  columns: { URL: 'url' },
  note: 'Save the URL now: it is not shown again. Anyone who has it can post messages.',
}

const description = ['--description <text>', 'what the webhook is for, at most 1,000 characters'] as const

export const webhooks: CommandGroup = {
  name: 'webhooks',
  description: 'URLs that programs post messages to. Each webhook has its own user.',
  subcommands: [
    {
      usage: 'list',
      description: 'List the webhooks of a workspace.',
      example: '',
      run: listOfWorkspace('webhooks', webhook),
    },
    {
      usage: 'create <name>',
      description: 'Create a webhook. Its URL is shown only once.',
      options: [new Option(...description)],
      example: 'Pipeline --description "Posts build results"',
      run: runMutation({
        mutation: 'createWebhook',
        inWorkspace: true,
        field: 'webhook',
        type: webhook,
        more: url,
      }),
    },
    {
      usage: 'update <webhook>',
      description: 'Change the name or description of a webhook. A new name is also shown with its messages.',
      options: [newName, ...clearable(...description)],
      example: 'Pipeline --name Builds --no-description',
      run: runMutation({ mutation: 'updateWebhook', field: 'webhook', type: webhook }),
    },
    {
      usage: 'calls <webhook>',
      description: 'List the last 50 calls of a webhook, newest first.',
      example: 'Pipeline',
      run: listCalls,
    },
    {
      usage: 'rotate-key <webhook>',
      description: 'Issue a new URL for a webhook, shown only once. The old one stops working immediately.',
      example: 'Pipeline',
      run: runMutation({ mutation: 'rotateWebhookKey', field: 'webhook', type: webhook, more: url }),
    },
    {
      usage: 'disable <webhook>',
      description: 'Disable a webhook. Its URL then responds as if the webhook did not exist.',
      example: 'Pipeline',
      run: runMutation({ mutation: 'disableWebhook', field: 'webhook', type: webhook }),
    },
    {
      usage: 'enable <webhook>',
      description: 'Enable a disabled webhook.',
      example: 'Pipeline',
      run: runMutation({ mutation: 'enableWebhook', field: 'webhook', type: webhook }),
    },
    {
      usage: 'delete <webhook>',
      confirm: 'Delete the webhook permanently?',
      description: 'Delete a webhook permanently. Its messages and its name are kept.',
      example: 'Pipeline',
      run: runMutation({
        mutation: 'deleteWebhook',
        field: 'webhook',
        type: { fields: webhook.fields, columns: { ...webhook.columns, Deleted: 'deletedAt' } },
      }),
    },
    testWebhook,
  ],
}

async function listCalls(...[client, command]: Parameters<Subcommand['run']>) {
  const { webhookID } = await argumentsOf(client, command)
  const document = `query ($webhookID: ID!) { node(id: $webhookID) { ... on Webhook { calls { ${call.fields} } } } }`
  const calls = valueAt(await client(document, { webhookID }), 'node.calls')
  if (!Array.isArray(calls)) throw new Failure(`No webhook has the ID "${webhookID}".`)
  return rowsOutput(call.columns, calls)
}
