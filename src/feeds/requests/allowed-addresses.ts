import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Public addresses at which a cloud provider serves metadata to its virtual machines. */
const metadataAddresses: readonly string[] = ['168.63.129.16']

/** The only range from which public IPv6 addresses are allocated (RFC 4291 2.5.4). */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

export type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number]

/** Parses networks such as `10.0.0.0/8`. An address without a prefix length is a network of one address. */
export function parseNetworks(networks: readonly string[]): Network[] {
  return networks.map((text) => {
    const [address = '', prefixLength] = text.split('/')
    const parsed = ipaddr.parse(address)
    const bits = parsed.kind() === 'ipv4' ? 32 : 128
    return [parsed, prefixLength === undefined ? bits : Number(prefixLength)]
  })
}

/** Returns whether an address is in one of the networks. An IPv4 address in IPv6 form counts as IPv4. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const parsed = ipaddr.process(address)
  return networks.some(
    ([network, length]) => parsed.kind() === network.kind() && parsed.match(network, length),
  )
}

/**
 * Returns whether an address is public. Addresses that the IANA registries reserve are not public, such as loopback,
 * private, shared (CGNAT) and multicast addresses, and IPv6 forms of IPv4 addresses (NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  const isGlobal = parsed.kind() === 'ipv4' || parsed.match(...globalUnicast)
  return isGlobal && parsed.range() === 'unicast' && !metadataAddresses.includes(parsed.toString())
}
