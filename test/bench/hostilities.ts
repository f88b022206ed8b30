import { createHash, randomBytes } from 'node:crypto'
import { pick } from './calls.ts'
import type { Call } from './load.ts'
import { commonWords } from './words.ts'
import type { World } from './worlds.ts'

/** What a hostile caller knows about its own workspace. */
export type Hostile = { world: World; threads: string[]; longThreadID: string }

const uploadBytes = 256 * 1024
const fieldsEach = 37
const rootFields = 50
const shared = randomBytes(uploadBytes - 16)
let number = 0

/** Requests within the limits, each of which causes as much work as possible. */
export const hostilities = {
  searches: ({ world }: Hostile) => graphql(world, `{ ${times(10, (n) => `s${n}: ${search(n)}`)} }`),
  'queries for nested connections': ({ world }: Hostile) => graphql(world, nested),
  'new documents': ({ world }: Hostile) => graphql(world, newDocument()),
  'queries that render long messages': ({ world, longThreadID }: Hostile) =>
    graphql(world, rendered, { id: longThreadID, first: 20 }),
  uploads: ({ world }: Hostile) => upload(world),
} satisfies Record<string, (hostile: Hostile) => Call>

export type Hostility = keyof typeof hostilities

const search = (n: number) =>
  `searchMessages(query: "${pick(commonWords)} ${commonWords[n]}", order: best, first: 100) { edges { excerpt node { id text } } }`

const nested = `{ threads(first: 100) { nodes { id subject recipients(first: 8) { nodes { __typename } }
  messages(first: 100) { nodes { id text createdAt user { id name } attachments(first: 10) { nodes { id } } } } } } }`

const rendered = `query ($id: ID!, $first: Int!) { thread(id: $id) { messages(first: $first) { nodes { id html } } } }`

/** Returns a document of 1,850 fields that was never sent before. */
function newDocument(): string {
  const fields = () => times(fieldsEach - 1, (n) => (n % 2 ? 'id' : 'name'))
  return `# ${number++}\n{ ${times(rootFields, (n) => `m${n}: me { ${fields()} }`)} }`
}

function times(count: number, text: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => text(n)).join(' ')
}

function graphql(world: World, query: string, variables = {}): Call {
  return {
    method: 'POST',
    path: '/public/graphql',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
    body: JSON.stringify({ query, variables }),
    check: () => 'answered',
  }
}

function upload(world: World): Call {
  const end = Buffer.from(String(number++).padStart(16, '0'))
  return {
    method: 'PUT',
    path: `${world.webhookPath}/attachment`,
    headers: {
      'content-length': String(uploadBytes),
      'content-md5': createHash('md5').update(shared).update(end).digest('base64'),
      'x-file-name': 'dump.bin',
    },
    body: (async function* () {
      yield shared
      yield end
    })(),
    check: () => 'made',
  }
}
