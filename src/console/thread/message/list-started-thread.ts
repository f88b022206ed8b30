import type { RecordProxy } from 'relay-runtime'

/** The arguments with which `StartedThreads` selects the threads. */
const args = { first: 5 }

/** Adds a new thread to the threads that were started from a message, if this message is loaded. The oldest come first. */
export function listStartedThread(thread: RecordProxy | null | undefined): void {
  const started = thread?.getLinkedRecord('fromMessage')?.getLinkedRecord('startedThreads', args)
  const listed = started?.getLinkedRecords('nodes') ?? []
  if (!thread || !started || listed.length >= args.first) return
  if (listed.some((other) => other.getDataID() === thread.getDataID())) return
  started.setLinkedRecords([...listed, thread], 'nodes')
}
