import { Option } from 'commander'
import { testWebhook } from '../conversations/test-webhook.ts'
import { Failure } from '../failure.ts'
import { clearable, jsonFile, newName, onOrOff, repeatable, wholeNumber } from '../options.ts'
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

const webhookInList: ObjectType = {
  fields: `id name description user { id } createdAt lastUsedAt previousKeyEndsAt expiresAt defaultTarget allowedTargets
    format resolvedCalls restDays hasSignatureSecret disabledAt deletedAt`,
  columns: {
    ID: 'id',
    User: 'user.id',
    Created: 'createdAt',
    'Last used': 'lastUsedAt',
    Disabled: 'disabledAt',
    Expires: 'expiresAt',
    'Previous URL until': 'previousKeyEndsAt',
    Name: 'name',
    Description: 'description',
  },
}

const webhook: ObjectType = {
  fields: `${webhookInList.fields} templates {
    text threadBy threadSubject uniqueBy version state notify threadClosed threadState senderName plain
  }`,
  columns: {
    ...webhookInList.columns,
    'Default target': 'defaultTarget',
    'Allowed targets': 'allowedTargets',
    Format: 'format',
    'Resolved calls': 'resolvedCalls',
    'Rest days': 'restDays',
    'Signed calls': 'hasSignatureSecret',
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
const expiresAt = ['--expires-at <time>', 'when the webhook expires, such as 2027-01-31T12:00:00Z'] as const
const defaultTarget = [
  '--default-target <id>',
  'the group or thread that calls without a target go to',
] as const
const allowedTarget = repeatable(
  '--allowed-target <id>',
  'a group or thread that calls can go to; all by default',
)
const format = [
  '--format <format>',
  'what is posted to the URL itself: alertmanager, discord, github, gitlab, grafana, json, sentry, slack or template; messages of Skein by default',
] as const
const resolvedCalls = onOrOff('--resolved-calls <state>', 'whether resolved alerts ask for attention')
const restDays = new Option('--rest-days <days>', 'how long a closed thread keeps its threadBy, at most 365')
const signatureSecret = [
  '--signature-secret <secret>',
  'the secret with which senders sign their calls, 16 to 255 characters',
] as const
const templates = [
  '--templates <file>',
  'a JSON file with a Liquid template for each field, such as {"text": "{{ title }}"}',
] as const
const overlapHours = new Option('--overlap-hours <hours>', 'how long the old URL also works, at most 168')

export const webhooks: CommandGroup = {
  name: 'webhooks',
  description: 'URLs that programs post messages to. Each webhook has its own user.',
  subcommands: [
    {
      usage: 'list',
      description: 'List the webhooks of a workspace.',
      example: '',
      run: listOfWorkspace('webhooks', webhookInList),
    },
    {
      usage: 'create <name>',
      description: 'Create a webhook. Its URL is shown only once.',
      options: [
        new Option(...description),
        new Option(...expiresAt),
        new Option(...defaultTarget),
        allowedTarget,
        new Option(...format),
        resolvedCalls,
        restDays.argParser(wholeNumber),
        new Option(...signatureSecret),
        new Option(...templates).argParser(jsonFile),
      ],
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
      description: 'Change the name or settings of a webhook. A new name is also shown with its messages.',
      options: [
        newName,
        ...clearable(...description),
        ...clearable(...expiresAt),
        ...clearable(...defaultTarget),
        allowedTarget,
        new Option('--no-allowed-target', 'allow all targets'),
        ...clearable(...format),
        resolvedCalls,
        restDays.argParser(wholeNumber),
        new Option('--no-rest-days', 'use the default: 30 days for formats'),
        ...clearable(...signatureSecret),
        new Option(...templates).argParser(jsonFile),
        new Option('--no-templates', 'remove the templates'),
      ],
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
      description:
        'Issue a new URL for a webhook, shown only once. The old one stops working immediately, or after --overlap-hours.',
      options: [overlapHours.argParser(wholeNumber)],
      example: 'Pipeline --overlap-hours 24',
      run: runMutation({ mutation: 'rotateWebhookKey', field: 'webhook', type: webhook, more: url }),
    },
    {
      usage: 'end-previous-key <webhook>',
      description: 'End the URL that still works after rotate-key.',
      example: 'Pipeline',
      run: runMutation({ mutation: 'endPreviousWebhookKey', field: 'webhook', type: webhook }),
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
