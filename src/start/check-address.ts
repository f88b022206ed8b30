import { once } from 'node:events'
import { createServer } from 'node:net'

type Address = { host: string; port: number }

/** Listens on an address and stops immediately. If that fails, throws an Error that says what to set. */
export async function checkAddress({ host, port }: Address): Promise<void> {
  const address = { host, port }
  const server = createServer()
  await explainListenErrors(address, () => once(server.listen(address), 'listening'))
  server.close()
  await once(server, 'close')
}

export async function explainListenErrors<T>({ host, port }: Address, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (cause) {
    const message = messageFor((cause as NodeJS.ErrnoException).code, host, port)
    throw message === undefined ? cause : new Error(message, { cause })
  }
}

function messageFor(code: string | undefined, host: string, port: number): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use. Set PORT to a free port.`
    case 'EACCES':
      return `This user is not allowed to listen on port ${port}. Set PORT to 1024 or higher.`
    case 'EADDRNOTAVAIL':
      return `HOST is ${host}, which is not an address of this machine. Set HOST to one, such as 127.0.0.1.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is ${host}, which cannot be resolved. Set HOST to an address, such as 127.0.0.1.`
    default:
      return undefined
  }
}
