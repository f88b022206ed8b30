import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isInNetworks, type Network, parseNetworks, splitPort } from '../../platform/networks.ts'

type Listed = { networks: Network[]; port: number | undefined }

/** The port blocking list of the Fetch standard (https://fetch.spec.whatwg.org/#port-blocking). */
const badPorts: readonly number[] = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]

/** SMB, rsync, ZooKeeper, Docker, etcd, remote desktops, Erlang, AMQP, Kafka, kubelet, and the usual databases. */
const internalPorts: readonly number[] = [
  445, 873, 1433, 1434, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5671, 5672, 5900, 5984,
  6379, 6380, 6432, 7687, 9042, 9092, 9200, 9300, 10250, 11211, 26379, 27017, 27018, 27019,
]

const dangerousPorts: ReadonlySet<number> = new Set([...badPorts, ...internalPorts])

/** Public addresses at which a cloud provider serves metadata to its virtual machines. */
const metadataAddresses: readonly string[] = ['168.63.129.16']

/** The only range from which public IPv6 addresses are allocated (RFC 4291 2.5.4). */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/**
 * The addresses that requests may be sent to: public addresses by https, and the addresses that the operator lists.
 * A dangerous port is allowed only at an address that is listed with this port.
 */
export class AllowedAddresses {
  readonly #listed: readonly Listed[]

  constructor(entries: readonly string[]) {
    this.#listed = entries.map((entry) => {
      const { network, port } = splitPort(entry)
      return { networks: parseNetworks([network]), port: port === undefined ? undefined : Number(port) }
    })
  }

  get isEmpty(): boolean {
    return this.#listed.length === 0
  }

  allows(address: string, url: URL): boolean {
    const urlPort = portOf(url)
    const isDangerous = dangerousPorts.has(urlPort)
    const isListed = this.#listed.some(
      ({ networks, port }) =>
        (port === urlPort || (port === undefined && !isDangerous)) && isInNetworks(address, networks),
    )
    return isListed || (url.protocol === 'https:' && !isDangerous && isPublicAddress(address))
  }

  /** Returns whether requests may be sent to the port of the URL at any address. */
  allowsPort(url: URL): boolean {
    const urlPort = portOf(url)
    return !dangerousPorts.has(urlPort) || this.#listed.some(({ port }) => port === urlPort)
  }
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

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}
