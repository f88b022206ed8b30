import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'

type Callback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
export type ResolveHost = (hostname: string, options: LookupAllOptions, callback: Callback) => void

type Options = {
  /** Whether names that the DNS does not know are looked up as the system does it, for example in /etc/hosts. */
  knowsOwnNames: boolean
  /** The name servers. By default those of the system. */
  servers?: readonly string[]
}

const timeouts = { timeout: 2000, tries: 2 }
const unknown: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/**
 * Returns a function that resolves the names of receivers. `lookup` of Node uses one of two threads for as long as the
 * name server of the host takes, so that two names could delay all others. Therefore it serves only the names of the
 * own network.
 */
export function hostResolver({ knowsOwnNames, servers }: Options): ResolveHost {
  const dns = new Resolver(timeouts)
  if (servers) dns.setServers(servers)
  return (hostname, options, callback) => {
    if (!hostname.includes('.')) return lookup(hostname, options, callback)
    addressesOf(dns, hostname).then(
      (addresses) => callback(null, addresses),
      (error) =>
        knowsOwnNames && unknown.includes(error.code)
          ? lookup(hostname, options, callback)
          : callback(error, []),
    )
  }
}

async function addressesOf(dns: Resolver, hostname: string): Promise<LookupAddress[]> {
  const [v4, v6] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)])
  const found = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason
  return found
}
