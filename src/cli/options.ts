import { readFileSync } from 'node:fs'
import { Argument, InvalidArgumentError, Option } from 'commander'
import { EventType } from '../sdk/index.ts'

/**
 * Creates an option that can be repeated. A variadic option would also take the arguments that follow it. `choices` are
 * the values that it accepts, if not all.
 */
export function repeatable(flags: string, description: string, choices?: readonly string[]): Option {
  return new Option(flags, `${description}; can be repeated`).argParser(
    (value: string, before: string[] | undefined) => {
      if (choices && !choices.includes(value))
        throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
      return [...(before ?? []), value]
    },
  )
}

export const eventTypes = repeatable(
  '--type <type>',
  'a type of event, such as messageCreated; all types by default',
  Object.values(EventType),
)

export function onOrOff(flags: string, description: string): Option {
  return new Option(flags, description).choices(['on', 'off'])
}

/** Creates an option that sets a value, and an option that removes it. */
export function clearable(flags: string, description: string): Option[] {
  const name = flags.split(' ')[0]?.replace('--', '')
  return [
    new Option(flags, description),
    new Option(`--no-${name}`, `remove the ${name?.replaceAll('-', ' ')}`),
  ]
}

export const newName = new Option('--name <text>', 'the new name, 1 to 100 characters')

export function wholeNumber(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1) return number
  throw new InvalidArgumentError('It must be a whole number from 1.')
}

/** Reads a file with a JSON object. */
export function jsonFile(path: string): object {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch {}
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
  throw new InvalidArgumentError('It must be the path of a file with a JSON object.')
}

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
  file: 'the path of the backup, or - for a pipe',
  directory: 'a directory that is empty or does not exist',
}

const argumentChoices: { [name: string]: string[] } = { role: ['admin', 'member'] }

/** Creates an argument from its usage, such as `<group>`, with its help and its choices. */
export function argumentOf(usage: string): Argument {
  const name = usage.replace(/[<>[\].]/g, '')
  const argument = new Argument(usage, argumentHelp[name])
  const choices = argumentChoices[name]
  return choices ? argument.choices(choices) : argument
}
