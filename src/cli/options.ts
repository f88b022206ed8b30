import { Option } from 'commander'

/** Creates an option that takes one value each time, so that it does not take the command's arguments. */
export function repeatable(flags: string, says: string): Option {
  return new Option(flags, `${says}; can be repeated`).argParser(
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  )
}

export function onOrOff(flags: string, says: string): Option {
  return new Option(flags, says).choices(['on', 'off'])
}

/** Creates an option that sets a value and one that removes it. */
export function clearable(flags: string, says: string): Option[] {
  const name = flags.split(' ')[0]?.replace('--', '')
  return [new Option(flags, says), new Option(`--no-${name}`, `remove the ${name?.replaceAll('-', ' ')}`)]
}

export const newName = new Option('--name <text>', 'the new name, 1 to 100 characters')
