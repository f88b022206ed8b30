import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A network between the browser and the service that can be cut. */
export type CuttableNetwork = {
  /** From now on, the service receives what the browser sends, but its responses are lost. */
  loseAnswers: () => void
  /** Resets all connections. Resets each new connection immediately. */
  cut: () => void
  /** From now on, nothing arrives on either side, and no connection is closed. */
  hang: () => void
  /** Resets the connections that hang. Forwards new connections again. */
  restore: () => void
  end: () => void
}

/** Starts a network that forwards the connections to a port of this machine. */
export async function startCuttableNetwork(port: number, targetPort: number): Promise<CuttableNetwork> {
  const sockets = new Set<Socket>()
  let isLosing = false
  let isCut = false
  let isHanging = false
  const connected = (client: Socket) => {
    if (isCut) return void client.resetAndDestroy()
    const service = connect(targetPort, '127.0.0.1')
    const end = () => {
      client.destroy()
      service.destroy()
      sockets.delete(client)
    }
    sockets.add(client)
    for (const socket of [client, service]) socket.on('error', end).on('close', end)
    client.on('data', (request) => isHanging || service.write(request))
    service.on('data', (answer) => isLosing || isHanging || client.write(answer))
  }
  const server = createServer(connected).listen(port, '127.0.0.1')
  await once(server, 'listening')
  // The server keeps its port during a cut, because another process could take it.
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    loseAnswers: () => {
      isLosing = true
    },
    cut,
    hang: () => {
      isHanging = true
    },
    restore: () => {
      if (isHanging) cut()
      isLosing = false
      isHanging = false
      isCut = false
    },
    end: () => {
      cut()
      server.close()
    },
  }
}
