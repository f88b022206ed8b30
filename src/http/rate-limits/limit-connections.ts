import { BlockList, isIPv6, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { addressKey } from './address-key.ts'

type OpenConnections = { connections: number; isReported: boolean }

/** Closes connections beyond the limit of an address. Trusted proxies, which serve many clients, have no limit. */
export function limitConnections(
  app: FastifyInstance,
  { maxConnectionsPerAddress: max, trustProxy }: Config,
): void {
  if (max === 0 || trustProxy === true) return
  const isProxy = matcher(trustProxy || [])
  const addresses = new Map<string, OpenConnections>()
  const counted = new WeakSet<Socket>()
  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // `ignoreUpgrade` in upgrades.ts emits this event again for a connection that is already counted.
    if (remoteAddress === undefined || isProxy(remoteAddress) || counted.has(socket)) return
    const key = addressKey(remoteAddress)
    const open = addresses.get(key) ?? { connections: 0, isReported: false }
    if (open.connections >= max) {
      socket.destroy()
      if (!open.isReported) app.log.warn({ address: key, max }, 'an address has too many connections')
      open.isReported = true
      return
    }
    counted.add(socket)
    open.connections++
    addresses.set(key, open)
    socket.once('close', () => {
      if (--open.connections === 0) addresses.delete(key)
    })
  })
}

function matcher(networks: string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = familyOf(address)
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family)
  }
  return (address) => list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
