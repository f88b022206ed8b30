import { Environment, type FetchFunction, getRequestIdentifier, Network } from 'relay-runtime'
import { MissingWorkspaceError } from './missing-workspace.ts'
import { PageStore } from './page-store.ts'
import { post } from './post.ts'
import { keepTrying } from './reloads.ts'
import type { Socket } from './socket.ts'
import { UnreadCounts } from './unread/unread-counts.ts'

type Options = { workspaceID: string; socket: Socket; onMissing: () => void }

/**
 * Creates the Relay environment of a workspace, and what counts in it. Calls `onMissing` if the person is not in the
 * workspace anymore. Otherwise, the page would notice this only when it renders again.
 */
export function createEnvironment({ workspaceID, socket, onMissing }: Options) {
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
  const unread: UnreadCounts = new UnreadCounts(() => environment)
  const store = new PageStore(unread)
  const change = async (query: string, variables: object) => {
    const answer = await send(query, variables)
    if ('data' in answer) unread.expectResult(answer.data ?? {})
    return answer
  }
  const run: FetchFunction = (request, variables, { metadata }) => {
    const text = request.text ?? ''
    if (request.operationKind !== 'query') return change(text, variables)
    const load = () => send(text, variables)
    if (metadata?.keepsData !== true) return load()
    const identifier = getRequestIdentifier(request, variables)
    return keepTrying(load, {
      isShown: () => store.shows(identifier),
      onRelease: (listener) => store.onRelease(listener),
    })
  }
  const environment = new Environment({
    network: Network.create(run, socket.subscribe),
    store,
  })
  return { environment, unread }
}
