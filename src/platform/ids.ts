import KSUID from 'ksuid'

const prefixes = ['wks', 'usr', 'grp', 'thr', 'msg', 'fil', 'app', 'wbh', 'upl'] as const
export type Prefix = (typeof prefixes)[number]

const shape = new RegExp(`^(${prefixes.join('|')})_[0-9A-Za-z]{27}$`)

/** Makes an ID: the prefix and a KSUID, 27 base-62 characters of which the first ones follow the clock. */
export function newID(prefix: Prefix): string {
  return `${prefix}_${KSUID.randomSync().string}`
}

/** The prefix of an ID, or undefined for text that no ID can be. */
export function prefixOf(id: string): Prefix | undefined {
  return shape.exec(id)?.[1] as Prefix | undefined
}
