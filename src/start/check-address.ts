import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** `prefix` begins the names of the settings of this address, such as `METRICS_`. */
type Address = { host: string; port: number; prefix?: string | undefined }

const connectMs = 500

/**
 * Throws an Error that says what to set if the host is not an address of this machine, or if another program listens on
 * the port. Does not listen on the port itself: a proxy could send requests, which would be lost.
 */
export async function checkAddress({ host, port, prefix }: Address): Promise<void> {
  const server = createServer()
  await explainListenErrors({ host, port, prefix }, () => once(server.listen({ host, port: 0 }), 'listening'))
  const { address } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  if (await answers({ host: address, port }))
    throw new Error(messageFor('EADDRINUSE', { host, port, prefix }))
}

async function answers(address: Address): Promise<boolean> {
  const socket = connect(address)
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectMs) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

export async function explainListenErrors<T>(address: Address, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (cause) {
    const message = messageFor((cause as NodeJS.ErrnoException).code, address)
    throw message === undefined ? cause : new Error(message, { cause })
  }
}

function messageFor(code: string | undefined, { host, port, prefix = '' }: Address): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use. Set ${prefix}PORT to a free port.`
    case 'EACCES':
      return `This user is not allowed to listen on port ${port}. Set ${prefix}PORT to 1024 or higher.`
    case 'EADDRNOTAVAIL':
      return `${prefix}HOST is ${host}, which is not an address of this machine. Set ${prefix}HOST to one, such as 127.0.0.1.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${prefix}HOST is ${host}, which cannot be resolved. Set ${prefix}HOST to an address, such as 127.0.0.1.`
    default:
      return undefined
  }
}
