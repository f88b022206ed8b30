import { deepStrictEqual } from 'node:assert'
import type { Bench } from './bench.ts'
import {
  expectList,
  expectPage,
  expectUnread,
  get,
  listQuery,
  pageQuery,
  pick,
  query,
  unreadQuery,
} from './calls.ts'
import { type Call, runLoad } from './load.ts'
import { type Server, startBaseline, startService } from './processes.ts'
import { type Contestant, httpContestant } from './rounds.ts'
import { seedAuthors, seedVolume, threadsOf, type Volume } from './seed.ts'
import { createStore, type Store } from './store.ts'
import { makeWorlds, type World } from './worlds.ts'

const pageSize = 50
const comparisons = 10
const mappingSeconds = 15
const quickMappingSeconds = 1

/** A seeded database, and a service that uses it. `readers` has a list of readers for each world. */
export type Filled = {
  store: Store
  service: Server
  worlds: World[]
  readers: World[][]
  volume: Volume
}

/** The volume of rows 7, 8 and 9: threads of 60 messages by 20 authors. One message in ten has a file. */
export function pagesVolume({ effort }: Bench): Volume {
  return { threads: effort.quick ? 200 : 1000, messagesEach: 60, people: 3, attachments: true }
}

export async function fill(bench: Bench, name: string, volume: Volume, worlds = 1): Promise<Filled> {
  const store = await createStore(bench, name)
  const service = await startService(bench, { databaseURL: store.url })
  const made = await makeWorlds(service.url, worlds)
  await seedAuthors(store, made)
  await seedVolume(store, made, volume)
  return { store, service, worlds: made, readers: made.map((world) => [world]), volume }
}

/** A read, as a request to the service and as a request to the baseline. */
export type Read = { ofService: () => Call; byHand: () => Call }

/** Returns reads of the first page of any thread in any world. */
export function pageReads({ worlds, readers, volume }: Filled): () => Read {
  const messages = Math.min(pageSize, volume.messagesEach)
  const threads = readers.flatMap((ofWorld, index) =>
    threadsOf(volume, index, worlds.length).map((id) => ({ ofWorld, id })),
  )
  return () => {
    const { ofWorld, id } = pick(threads)
    const world = pick(ofWorld)
    const expect = expectPage(id, messages)
    return {
      ofService: () => query(world, pageQuery, { id }, expect),
      byHand: () => get(`/workspaces/${world.workspaceID}/threads/${id}`, expect),
    }
  }
}

/** Returns reads of the threads with the latest messages. `sees` selects the statement of the baseline. */
export function listReads({ worlds, readers, volume }: Filled, sees: 'all' | 'few' = 'all'): () => Read {
  const expect = expectList(Math.min(pageSize, Math.floor(volume.threads / worlds.length)))
  return () => {
    const world = pick(pick(readers))
    return {
      ofService: () => query(world, listQuery, {}, expect),
      byHand: () => get(`/workspaces/${world.workspaceID}/users/${world.appUserID}/threads/${sees}`, expect),
    }
  }
}

/** Returns reads of the latest threads with their unread counts. */
export function unreadReads({ readers, volume, worlds }: Filled): () => Read {
  const expect = expectUnread(Math.min(pageSize, Math.floor(volume.threads / worlds.length)))
  return () => {
    const world = pick(pick(readers))
    return {
      ofService: () => query(world, unreadQuery, {}, expect),
      byHand: () => get(`/workspaces/${world.workspaceID}/users/${world.appUserID}/threads/unread`, expect),
    }
  }
}

/** Checks that the service and a baseline give equal responses. Then returns both, for a comparison. */
export async function againstByHand(
  bench: Bench,
  { service, store }: Filled,
  name: string,
  nextRead: () => Read,
): Promise<{ ofService: Contestant; byHand: Contestant }> {
  const baseline = await startBaseline(bench, name, { DATABASE_URL: store.url })
  for (let read = 0; read < comparisons; read++) {
    const { ofService, byHand } = nextRead()
    deepStrictEqual(await answerOf(service, ofService()), await answerOf(baseline, byHand()))
  }
  return {
    ofService: httpContestant(bench, { servers: [service], store, nextCall: () => nextRead().ofService() }),
    byHand: httpContestant(bench, { servers: [baseline], store, nextCall: () => nextRead().byHand() }),
  }
}

/** Cursors are opaque: only their presence is compared. */
async function answerOf({ url }: Server, { method, path, headers = {}, body }: Call): Promise<unknown> {
  const answer = await fetch(url + path, { method, headers, body: typeof body === 'string' ? body : null })
  return JSON.parse(await answer.text(), (key, value) => (key === 'endCursor' ? typeof value : value))
}

/**
 * Reads for a while, because a connection of PostgreSQL maps each page of the shared memory on its first use. With
 * millions of messages, the mapping costs more processor time than all other causes of slow reads.
 */
export async function mapMemory({ effort }: Bench, { url }: Server, nextCall: () => Call): Promise<void> {
  const seconds = effort.quick ? quickMappingSeconds : mappingSeconds
  const run = await runLoad({ urls: [url], connections: 64, warmUpSeconds: 0, seconds, nextCall })
  if (run.errors > 0) throw new Error(run.problems.join('\n'))
}
