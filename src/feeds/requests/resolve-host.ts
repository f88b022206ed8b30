import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'

type Callback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
export type ResolveHost = (hostname: string, options: LookupAllOptions, callback: Callback) => void

type Options = {
  /** Whether the operating system looks up names that the DNS does not know, for example in /etc/hosts. */
  knowsOwnNames: boolean
  /** The name servers. By default, the name servers of the system. */
  servers?: readonly string[]
}

const timeouts = { timeout: 2000, tries: 2 }
const unknown: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/**
 * Resolves host names of receivers. Node's `lookup` runs only two look-ups at the same time. Therefore two names with
 * slow name servers would delay all other names. To avoid that, `lookup` is used only for names without a dot and, with
 * `knowsOwnNames`, for names that the DNS does not know.
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
