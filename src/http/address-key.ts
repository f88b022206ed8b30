import { isIPv6 } from 'node:net'

/**
 * What an address is counted by: an IPv4 address as it is, also if it is mapped to IPv6, and of an IPv6 address the
 * network of 64 bits, because a single host has that many addresses to choose from.
 */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [front = [], back] = address.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = back ? Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0') : []
  const groups = [...front, ...zeros, ...(back ?? [])].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
