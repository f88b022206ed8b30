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
  note: 'The URL is shown only now. Whoever holds it can post.',
}

const description = new Option('--description <text>', 'what the webhook is for, at most 1,000 characters')

export const webhooks: Noun = {
  name: 'webhooks',
  says: 'URLs that programs post to, each with a user that posts.',
  verbs: [
    {
      usage: 'list',
      says: 'List the webhooks of a workspace.',
      example: '',
      run: listOfWorkspace('webhooks', webhook),
    },
    {
      usage: 'create <name>',
      says: 'Make a webhook. Its URL is shown this once.',
      options: [description],
      example: 'Pipeline --description "Posts what the builds say"',
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
      says: 'Give a webhook a new URL, shown this once; the old one ends at once.',
      example: 'Pipeline',
      run: change({ mutation: 'rotateWebhookKey', field: 'webhook', kind: webhook, more: url }),
    },
    {
      usage: 'disable <webhook>',
      says: 'Switch a webhook off: its URL answers as if it did not exist.',
      example: 'Pipeline',
      run: change({ mutation: 'disableWebhook', field: 'webhook', kind: webhook }),
    },
    {
      usage: 'enable <webhook>',
      says: 'Switch a webhook on again.',
      example: 'Pipeline',
      run: change({ mutation: 'enableWebhook', field: 'webhook', kind: webhook }),
    },
    {
      usage: 'delete <webhook>',
      confirm: 'Delete the webhook for good?',
      says: 'Delete a webhook for good. Its messages and its name stay.',
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
