import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { isInNetworks, parseNetworks } from '../../platform/networks.ts'
import { addressKey } from './address-key.ts'

type OpenConnections = { connections: number; isReported: boolean }

/** Closes connections beyond the limit of an address. Trusted proxies, which serve many clients, have no limit. */
export function limitConnections(
  app: FastifyInstance,
  { maxConnectionsPerAddress: max, trustProxy }: Config,
): void {
  if (max === 0 || trustProxy === true) return
  const proxies = parseNetworks(trustProxy || [])
  const addresses = new Map<string, OpenConnections>()
  const counted = new WeakSet<Socket>()
  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // `ignoreUpgrade` in upgrades.ts emits this event again for a connection that is already counted.
    if (remoteAddress === undefined || isInNetworks(remoteAddress, proxies) || counted.has(socket)) return
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
