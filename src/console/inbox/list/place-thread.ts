import { ConnectionHandler, type RecordProxy, type RecordSourceSelectorProxy } from 'relay-runtime'
import { threadListsOf } from './thread-lists.ts'

/**
 * Moves a changed thread to its place in each list that it belongs to. A thread that no longer belongs to a list stays in
 * the store, because the component that shows the list decides when to remove it.
 */
export function placeThread(store: RecordSourceSelectorProxy, thread: RecordProxy | null | undefined): void {
  if (!thread) return
  for (const { connection, args, includes } of threadListsOf(thread)) {
    const threads = ConnectionHandler.getConnection(store.getRoot(), connection, args)
    if (threads && includes(thread)) placeInList(store, threads, thread)
  }
}

/** The lists are sorted by latest activity. */
function placeInList(store: RecordSourceSelectorProxy, threads: RecordProxy, thread: RecordProxy): void {
  const edges = threads.getLinkedRecords('edges') ?? []
  const isOther = (edge: RecordProxy) => nodeOf(edge)?.getDataID() !== thread.getDataID()
  const others = edges.filter(isOther)
  const place = others.findIndex((edge) => activityOf(nodeOf(edge)) <= activityOf(thread))
  // A thread that belongs after the last loaded page arrives with the next page.
  if (place < 0 && threads.getLinkedRecord('pageInfo')?.getValue('hasNextPage')) return
  const index = place < 0 ? others.length : place
  const edge =
    edges.find((edge) => !isOther(edge)) ?? ConnectionHandler.createEdge(store, threads, thread, 'ThreadEdge')
  if (edges[index] !== edge) threads.setLinkedRecords(others.toSpliced(index, 0, edge), 'edges')
}

function nodeOf(edge: RecordProxy): RecordProxy | null | undefined {
  return edge.getLinkedRecord('node')
}

function activityOf(thread: RecordProxy | null | undefined): number {
  return Date.parse(String(thread?.getValue('lastActivityAt') ?? 0))
}
