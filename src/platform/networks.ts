import ipaddr from 'ipaddr.js'

export type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number]

/**
 * Parses networks such as `10.0.0.0/8`. An address without a prefix length is a network of one address. IPv4 in IPv6 form,
 * such as `::ffff:10.0.0.0/104`, becomes IPv4.
 */
export function parseNetworks(networks: readonly string[]): Network[] {
  return networks.map((text) => {
    const [address = '', prefixLength] = text.split('/')
    const parsed = ipaddr.parse(address)
    const bits = parsed.kind() === 'ipv4' ? 32 : 128
    const length = prefixLength === undefined ? bits : Number(prefixLength)
    const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && length >= 96
    return isMapped ? [parsed.toIPv4Address(), length - 96] : [parsed, length]
  })
}

/** Separates the port from the end of `10.0.0.0/8:80` or `[fd00::/8]:80`. Other texts have none. */
export function splitPort(text: string): { network: string; port: string | undefined } {
  const [, v6, v4, port] = /^(?:\[([^\]]*:[^\]]*)\]|([^:]*)):(\d+)$/.exec(text) ?? []
  return { network: v6 ?? v4 ?? text, port }
}

/** Returns whether an address is in one of the networks. An IPv4 address in IPv6 form counts as IPv4. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const parsed = ipaddr.process(address)
  return networks.some(
    ([network, length]) => parsed.kind() === network.kind() && parsed.match(network, length),
  )
}
