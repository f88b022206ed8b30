import { ConnectionHandler, type RecordProxy, type RecordSourceSelectorProxy } from 'relay-runtime'

/**
 * Adds a new message to the end of the list if the list shows the end. If messages before it are missing, marks that
 * there are more to load.
 */
export function appendMessage(
  store: RecordSourceSelectorProxy,
  threadID: string,
  message: RecordProxy | null | undefined,
): void {
  const thread = store.get(threadID)
  const messages = thread && ConnectionHandler.getConnection(thread, 'useMessages_messages')
  const page = messages?.getLinkedRecord('pageInfo')
  if (!message || !messages || !page || page.getValue('hasNextPage')) return
  const last = messages.getLinkedRecords('edges')?.at(-1)?.getLinkedRecord('node')
  const distance = Number(message.getValue('position')) - Number(last?.getValue('position') ?? 0)
  if (distance > 1) page.setValue(true, 'hasNextPage')
  if (distance !== 1) return
  const edge = ConnectionHandler.createEdge(store, messages, message, 'MessageEdge')
  edge.setValue(message.getValue('cursor'), 'cursor')
  ConnectionHandler.insertEdgeAfter(messages, edge)
  page.setValue(message.getValue('cursor'), 'endCursor')
}
