import { isIPv6 } from 'node:net'

/** Returns the key for counting an address. For IPv6, it is the /64 network, which one host can use completely. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [front = [], back] = address.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = back ? Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0') : []
  const groups = [...front, ...zeros, ...(back ?? [])].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
