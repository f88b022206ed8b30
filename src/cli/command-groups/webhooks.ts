import { Option } from 'commander'
import { testWebhook } from '../conversations/test-webhook.ts'
import { change, type Kind, listOfWorkspace, type Noun } from '../verbs.ts'

const webhook: Kind = {
  fields: 'id name description user { id } createdAt disabledAt deletedAt',
  columns: {
    ID: 'id',
    User: 'user.id',
    Created: 'createdAt',
    Disabled: 'disabledAt',
    Name: 'name',
    Description: 'description',
  },
}

const url = {
  fields: 'url',
  columns: { URL: 'url' },
  note: 'Save the URL now: it is not shown again. Anyone who has it can post messages.',
}

const description = new Option('--description <text>', 'what the webhook is for, at most 1,000 characters')

export const webhooks: Noun = {
  name: 'webhooks',
  says: 'URLs that programs post messages to. Each webhook has its own user.',
  verbs: [
    {
      usage: 'list',
      says: 'List the webhooks of a workspace.',
      example: '',
      run: listOfWorkspace('webhooks', webhook),
    },
    {
      usage: 'create <name>',
      says: 'Create a webhook. Its URL is shown only once.',
      options: [description],
      example: 'Pipeline --description "Posts build results"',
      run: change({
        mutation: 'createWebhook',
        inWorkspace: true,
        field: 'webhook',
        kind: webhook,
        more: url,
      }),
    },
    {
      usage: 'rotate-key <webhook>',
      says: 'Issue a new URL for a webhook, shown only once. The old one stops working immediately.',
      example: 'Pipeline',
      run: change({ mutation: 'rotateWebhookKey', field: 'webhook', kind: webhook, more: url }),
    },
    {
      usage: 'disable <webhook>',
      says: 'Disable a webhook. Its URL then responds as if the webhook did not exist.',
      example: 'Pipeline',
      run: change({ mutation: 'disableWebhook', field: 'webhook', kind: webhook }),
    },
    {
      usage: 'enable <webhook>',
      says: 'Enable a disabled webhook.',
      example: 'Pipeline',
      run: change({ mutation: 'enableWebhook', field: 'webhook', kind: webhook }),
    },
    {
      usage: 'delete <webhook>',
      confirm: 'Delete the webhook permanently?',
      says: 'Delete a webhook permanently. Its messages and its name are kept.',
      example: 'Pipeline',
      run: change({
        mutation: 'deleteWebhook',
        field: 'webhook',
        kind: { fields: webhook.fields, columns: { ...webhook.columns, Deleted: 'deletedAt' } },
      }),
    },
    testWebhook,
  ],
}
