import { seedMembers } from './amend.ts'
import type { Bench } from './bench.ts'
import { expectPage, pageQuery, post, query } from './calls.ts'
import type { Call } from './load.ts'
import { type Filled, fill, listReads, pageReads } from './pages.ts'
import { postsOver } from './posts-over.ts'
import type { World } from './worlds.ts'

const pageSize = 50
const chatMessages = 100

/** A quantity that grows. `at` creates the data for one size. */
export type Dimension = {
  grows: string
  sizes: number[]
  at: (bench: Bench, size: number) => Promise<Site>
}

export type Site = {
  filled: Filled
  connections?: number
  /** The number of service processes on the database. */
  processes?: number
  loads: { [name: string]: () => Call }
}

const few = { messagesEach: 10, people: 3 }

export const dimensions: Dimension[] = [
  {
    grows: 'messages in 200 threads',
    sizes: [10_000, 1_000_000],
    at: async (bench, size) => {
      const filled = await fill(bench, 'messages', { threads: 200, messagesEach: size / 200, people: 3 })
      return { filled, loads: { ...posts(filled), ...pages(filled), ...lists(filled) } }
    },
  },
  {
    grows: 'threads of 10 messages',
    sizes: [1000, 100_000],
    at: async (bench, size) => {
      const filled = await fill(bench, 'threads', { threads: size, ...few })
      return { filled, loads: { ...posts(filled), ...lists(filled) } }
    },
  },
  { grows: 'members of a group', sizes: [10, 10_000], at: groupOf },
  {
    grows: 'workspaces that row 1 writes to, with 1,000 threads in total',
    sizes: [1, 100],
    at: async (bench, size) => {
      const filled = await fill(bench, 'workspaces', { threads: 1000, ...few }, size)
      return { filled, loads: posts(filled) }
    },
  },
  {
    grows: 'connections',
    sizes: [1, 8, 64, 256],
    at: async (bench, connections) => {
      const filled = await fill(bench, 'connections', { threads: 1000, messagesEach: 50, people: 3 })
      return { filled, connections, loads: { ...posts(filled), ...pages(filled) } }
    },
  },
  {
    grows: 'service processes on one PostgreSQL server',
    sizes: [1, 3],
    at: async (bench, processes) => {
      const filled = await fill(bench, 'processes', { threads: 1000, ...few })
      return { filled, processes, loads: posts(filled) }
    },
  },
]

function posts({ worlds, volume }: Filled): Site['loads'] {
  return { 'row 1': postsOver(worlds, volume) }
}

function pages(filled: Filled): Site['loads'] {
  const next = pageReads(filled)
  return { 'row 8': () => next().ofService() }
}

function lists(filled: Filled): Site['loads'] {
  const next = listReads(filled)
  return { 'row 9': () => next().ofService() }
}

/** Creates a group whose chat is read and then written to. */
async function groupOf(bench: Bench, members: number): Promise<Site> {
  const filled = await fill(bench, 'members', { threads: 1, messagesEach: 0 })
  const [world] = filled.worlds as [World]
  await seedMembers(filled.store, world, members)
  const target = world.groupID
  const chatID = await fillChat(filled, world)
  const expect = expectPage(chatID, pageSize)
  return {
    filled,
    loads: {
      'row 8 with its chat': () => query(world, pageQuery, { id: chatID }, expect),
      'row 3': () => post(world, { target }),
    },
  }
}

/** Creates the group's chat by posting two pages of messages, and returns the chat's ID. */
async function fillChat({ service }: Filled, world: World): Promise<string> {
  let chatID = ''
  for (let message = 0; message < chatMessages; message++) {
    const call = post(world, { target: world.groupID }, { onThread: (threadID) => (chatID = threadID) })
    const { method, path, headers = {}, body } = call
    const answer = await fetch(service.url + path, { method, headers, body: String(body) })
    call.check(await answer.json())
  }
  return chatID
}
