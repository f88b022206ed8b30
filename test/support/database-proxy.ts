import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** A proxy before a PostgreSQL server that can fall silent: connections stay open, and nothing passes either way. */
export type DatabaseProxy = {
  /** The server's URL, through the proxy. */
  url: string
  silence(): void
  /** Ends the silence: what was held back goes on its way. */
  resume(): void
}

/** Starts a proxy before the server at the URL. It ends after the file's tests. */
export async function startDatabaseProxy(databaseURL: string): Promise<DatabaseProxy> {
  const target = new URL(databaseURL)
  let gate = Promise.resolve()
  let open = () => {}
  const sockets = new Set<Socket>()

  async function forward(from: Socket, to: Socket): Promise<void> {
    sockets.add(from.on('error', () => undefined))
    try {
      for await (const chunk of from) {
        await gate
        to.write(chunk)
      }
    } catch {}
    await gate
    to.destroy()
    sockets.delete(from)
  }

  const server = createServer(async (client) => {
    client.on('error', () => undefined)
    await gate
    const upstream = connect(Number(target.port || 5432), target.hostname)
    void forward(client, upstream)
    void forward(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    open()
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const url = new URL(databaseURL)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const silence = () => {
    gate = new Promise((resolve) => {
      open = resolve
    })
  }
  return { url: url.href, silence, resume: () => open() }
}
