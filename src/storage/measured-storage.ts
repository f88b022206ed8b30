import { counter, counterBy } from '../platform/metrics.ts'
import type { Chunks, Storage } from './storage.ts'

const uploaded = counter('skein_upload_bytes_total', 'The bytes of uploads that arrived whole.')
const downloaded = counter('skein_download_bytes_total', 'The bytes that were read for downloads.')
const errors = counterBy(
  'skein_storage_errors_total',
  'The failures of the file storage. A missing file is one.',
  'operation',
  ['receive', 'store', 'open', 'read', 'remove'],
)

/** Counts the bytes and the failures of a storage. */
export function measuredStorage(storage: Storage): Storage {
  return {
    ...storage,
    receive: async (bytes) => {
      // If the client disconnects, the storage has not failed.
      const received = await storage.receive(bytes).catch((error: unknown) => {
        if (!bytes.errored) errors.receive.add()
        throw error
      })
      uploaded.add(received.sizeBytes)
      return { ...received, store: () => counting('store', received.store()) }
    },
    open: async (sha256, range) => counted(await counting('open', storage.open(sha256, range))),
    remove: (sha256) => counting('remove', storage.remove(sha256)),
    removeAbandoned: () => counting('remove', storage.removeAbandoned()),
  }
}

async function counting<T>(operation: keyof typeof errors, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    errors[operation].add()
    throw error
  })
}

async function* counted(chunks: Chunks): Chunks {
  const reader = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await counting('read', reader.next())
      if (done) return
      downloaded.add(value.length)
      yield value
    }
  } finally {
    await reader.return?.()
  }
}
