import { Environment, Network, RecordSource, Store } from 'relay-runtime'
import { MissingWorkspaceError } from './missing-workspace.ts'
import { post } from './post.ts'
import type { Socket } from './socket.ts'

type Options = { workspaceID: string; socket: Socket; onMissing: () => void }

/**
 * Creates the Relay environment of a workspace. It keeps the data of the last 20 queries that no component uses
 * anymore. Calls `onMissing` if the person is not in the workspace anymore. Otherwise, the page would notice this only
 * when it renders again.
 */
export function createEnvironment({ workspaceID, socket, onMissing }: Options): Environment {
  // The first query of a page selects the person, and the response sets this ID.
  let userID: string | undefined
  const send = async (query: string, variables: object) => {
    const answer = await post(workspaceID, { query, variables }, userID).catch((error) => {
      if (error instanceof MissingWorkspaceError) onMissing()
      throw error
    })
    if ('data' in answer) userID ??= answer.data?.viewer?.user?.id
    return answer
  }
  return new Environment({
    network: Network.create((request, variables) => send(request.text ?? '', variables), socket.subscribe),
    store: new Store(new RecordSource(), { gcReleaseBufferSize: 20 }),
  })
}
