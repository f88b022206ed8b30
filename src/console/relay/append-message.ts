import { ConnectionHandler, type RecordProxy, type RecordSourceSelectorProxy } from 'relay-runtime'

/**
 * Adds a new message to a list that reaches the end of the thread. If messages before the new one are missing, marks
 * the list as incomplete instead.
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
  // An empty list is not marked as incomplete, because it has no cursor from which to load a page. The subscription
  // delivers all messages of the thread.
  if (distance > 1 && last) page.setValue(true, 'hasNextPage')
  if (distance !== 1) return
  const edge = ConnectionHandler.createEdge(store, messages, message, 'MessageEdge')
  edge.setValue(message.getValue('cursor'), 'cursor')
  ConnectionHandler.insertEdgeAfter(messages, edge)
  page.setValue(message.getValue('cursor'), 'endCursor')
}
