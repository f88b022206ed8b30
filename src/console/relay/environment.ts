import { Environment, Network, RecordSource, Store } from 'relay-runtime'
import { post } from './post.ts'
import type { Socket } from './socket.ts'

/** Creates the Relay environment of a workspace. It keeps the data of the operations that ended last. */
export function createEnvironment(workspaceID: string, socket: Socket): Environment {
  return new Environment({
    network: Network.create(
      (request, variables) => post(workspaceID, { query: request.text ?? '', variables }),
      socket.subscribe,
    ),
    store: new Store(new RecordSource(), { gcReleaseBufferSize: 20 }),
  })
}
