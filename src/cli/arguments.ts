import { Argument } from 'commander'

const argumentHelp: { [name: string]: string } = {
  workspace: 'the name or ID of the workspace',
  user: 'the name, email address or ID of the user',
  users: 'the names, email addresses or IDs of the users',
  group: 'the name or ID of the group',
  app: 'the name or ID of the app',
  webhook: 'the name or ID of the webhook',
  endpoint: 'the ID of the endpoint',
  delivery: 'the ID of the delivery',
  to: 'a group (name or ID), a user (name, email address or ID) or a thread (ID)',
  from: 'a group (name or ID), a user (name, email address or ID) or a thread (ID)',
  text: 'the text of the message, in Markdown',
  email: 'the email address',
  url: 'the full URL',
  role: 'the role in the group',
  name: 'the name, 1 to 100 characters',
}

const argumentChoices: { [name: string]: string[] } = { role: ['admin', 'member'] }

/** Creates an argument from its usage, such as `<group>`, with its help and its choices. */
export function argumentOf(usage: string): Argument {
  const name = usage.replace(/[<>.]/g, '')
  const argument = new Argument(usage, argumentHelp[name])
  const choices = argumentChoices[name]
  return choices ? argument.choices(choices) : argument
}
