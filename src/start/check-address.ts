import { once } from 'node:events'
import { createServer } from 'node:net'

type Address = { host: string; port: number }

/** Listens on an address and releases it at once. Throws an Error that says what to set if that fails. */
export async function checkAddress({ host, port }: Address): Promise<void> {
  const address = { host, port }
  const server = createServer()
  await withWords(address, () => once(server.listen(address), 'listening'))
  server.close()
  await once(server, 'close')
}

/** Runs what listens on the address. An Error of the system becomes one that says which variable to set. */
export async function withWords<T>({ host, port }: Address, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (cause) {
    const words = wordsFor((cause as NodeJS.ErrnoException).code, host, port)
    throw words === undefined ? cause : new Error(words, { cause })
  }
}

function wordsFor(code: string | undefined, host: string, port: number): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use; set PORT to a free one.`
    case 'EACCES':
      return `This user may not listen on port ${port}; set PORT to 1024 or more.`
    case 'EADDRNOTAVAIL':
      return `HOST is ${host}, which is not an address of this machine; set HOST to one, such as 127.0.0.1.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is ${host}, which is not the name of a machine; set HOST to an address, such as 127.0.0.1.`
    default:
      return undefined
  }
}
