import { InvalidArgumentError, Option } from 'commander'
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
