import { buildSchema, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { operatorTypeDefs, typeDefs } from '../../src/generated/type-defs.ts'
import { defaultScopes } from '../../src/scopes.ts'

const schema = buildSchema([...typeDefs, ...operatorTypeDefs].join('\n'))

/** The arguments and the fields of inputs, with the place of each. */
const inputs = Object.values(schema.getTypeMap()).flatMap((type) => {
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => ({ ...field, place: `${type.name}.${field.name}` }))
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return []
  return Object.values(type.getFields()).flatMap(({ name, args }) =>
    args.map((arg) => ({ ...arg, place: `${type.name}.${name}.${arg.name}` })),
  )
})

test('a default is only in a description if it is not a constant', () => {
  const inProse = inputs.filter(
    ({ name, defaultValue, description }) =>
      name !== 'first' && defaultValue === undefined && /by default/i.test(description ?? ''),
  )
  expect(inProse.map(({ place }) => place).sort()).toEqual([
    'CreateEventEndpointInput.types',
    'CreateOperatorTokenInput.expiresInDays',
    'CreateWebhookInput.allowedTargets',
    'CreateWebhookInput.expiresAt',
    'CreateWebhookInput.format',
    'CreateWebhookInput.restDays',
    'InstallAppInput.scopes',
    'InviteUserInput.name',
    'MarkReadInput.upToMessageID',
    'Query.events.after',
    'Query.events.before',
    'Query.searchMessages.filter',
    'Query.threads.filter',
    'Subscription.events.after',
    'Subscription.inbox.after',
    'Subscription.threadEvents.after',
    'Thread.messages.around',
    'UploadTicketInput.contentLength',
    'UploadTicketInput.name',
  ])
})

test('the default of CreateAppInput.scopes is that of an installation', () => {
  const scopes = inputs.find(({ place }) => place === 'CreateAppInput.scopes')
  expect(scopes?.defaultValue).toEqual(defaultScopes)
})
