import { Option } from 'commander'

/** An option that can be repeated, each time with one value, so that it takes no argument for its own. */
export function repeatable(flags: string, says: string): Option {
  return new Option(flags, `${says}; repeat it for several`).argParser(
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  )
}

/** An option that is on or off. */
export function onOrOff(flags: string, says: string): Option {
  return new Option(flags, says).choices(['on', 'off'])
}

/** An option that sets a value, and the one that takes it away. */
export function clearable(flags: string, says: string): Option[] {
  const name = flags.split(' ')[0]?.replace('--', '')
  return [new Option(flags, says), new Option(`--no-${name}`, `take the ${name?.replaceAll('-', ' ')} away`)]
}

export const newName = new Option('--name <text>', 'the new name, 1 to 100 characters')
