import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** A proxy in front of a PostgreSQL server that can hold back all data while its connections stay open. */
export type DatabaseProxy = {
  url: string
  silence(): void
  /** Ends the silence, and forwards the data that was held back. */
  resume(): void
}

/** Starts a proxy that stops after the file's tests. Its URL leads to the same database. */
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
