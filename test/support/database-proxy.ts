import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from './at-end.ts'

/** A proxy in front of a PostgreSQL server that can hold back all data, and end a connection. */
export type DatabaseProxy = {
  url: string
  silence(): void
  /** Ends the silence, and forwards the data that was held back. */
  resume(): void
  /** Ends each connection on which the server sends this text. The packet also has the error of a server that exits. */
  endAfter(text: string): void
}

/** Error `57P01` of PostgreSQL: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const farewell = errorResponse({
  ...{ S: 'FATAL', V: 'FATAL', C: '57P01' },
  M: 'terminating connection due to unexpected postmaster exit',
})

/** Starts a proxy that stops after the file's tests. Its URL leads to the same database. */
export async function startDatabaseProxy(databaseURL: string): Promise<DatabaseProxy> {
  const target = new URL(databaseURL)
  let gate = Promise.resolve()
  let open = () => {}
  let lastText: string | undefined
  const sockets = new Set<Socket>()

  async function forward(
    from: Socket,
    to: Socket,
    lastOf = (): string | undefined => undefined,
  ): Promise<void> {
    sockets.add(from.on('error', () => undefined))
    try {
      for await (const chunk of from) {
        await gate
        const lastText = lastOf()
        if (lastText === undefined || !chunk.includes(lastText)) to.write(chunk)
        else to.end(Buffer.concat([chunk, farewell]))
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
    void forward(upstream, client, () => lastText)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
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
  const endAfter = (text: string) => {
    lastText = text
  }
  return { url: url.href, silence, resume: () => open(), endAfter }
}

function errorResponse(fields: Record<string, string>): Buffer {
  const body = Object.entries(fields).map(([code, value]) => `${code}${value}\0`)
  const bytes = Buffer.from(`${body.join('')}\0`)
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}
