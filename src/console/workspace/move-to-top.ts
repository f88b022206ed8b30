import { ConnectionHandler, type RecordProxy, type RecordSourceSelectorProxy } from 'relay-runtime'
import { threadLists } from '../inbox/thread-lists.ts'

/** Moves a thread to the top of the lists that it belongs to. Reading it changes the thread, but not its place. */
export function moveToTop(store: RecordSourceSelectorProxy): void {
  const thread = store.getRootField('inbox')?.getLinkedRecord('thread')
  if (!thread) return
  for (const { filter, includes } of Object.values(threadLists)) {
    if (!includes(thread)) continue
    const threads = ConnectionHandler.getConnection(store.getRoot(), 'threadList_threads', { filter })
    if (threads) moveInList(store, threads, thread)
  }
}

function moveInList(store: RecordSourceSelectorProxy, threads: RecordProxy, thread: RecordProxy): void {
  const top = threads.getLinkedRecords('edges')?.[0]?.getLinkedRecord('node')
  if (top && activityOf(thread) < activityOf(top)) return
  if (top?.getDataID() === thread.getDataID()) return
  ConnectionHandler.deleteNode(threads, thread.getDataID())
  ConnectionHandler.insertEdgeBefore(
    threads,
    ConnectionHandler.createEdge(store, threads, thread, 'ThreadEdge'),
  )
}

function activityOf(thread: RecordProxy): number {
  return Date.parse(String(thread.getValue('lastActivityAt') ?? 0))
}
