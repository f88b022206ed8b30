import type { Query } from './seed-sql.ts'
import type { Store } from './store.ts'
import { makeSentences, sentences } from './words.ts'
import type { World } from './worlds.ts'

/** The number of messages that contain a rare word, in every volume. */
export const rareMessages = 20

/** Returns a word that twenty messages contain. There is one such word for every twenty messages. */
export function rareWord(number: number): string {
  return `case${number}`
}

/** Returns SQL for the text of a message: three sentences and a rare word. `number` goes from 0 up to `count`. */
export function searchableText(number: string, count: number): string {
  const sentence = (factor: number) =>
    `(SELECT text FROM bench_sentences WHERE number = (${number})::bigint * ${factor} % ${sentences})`
  const rare = `'Case' || (${number}) % ${Math.ceil(count / rareMessages)}`
  return `concat_ws('. ', ${sentence(7919)}, ${sentence(104_729)}, ${rare}, ${sentence(1_299_709)})`
}

/** Creates the table from which `searchableText` takes its sentences. */
export async function seedSentences(query: Query): Promise<void> {
  await query(
    'CREATE TEMPORARY TABLE bench_sentences (number integer PRIMARY KEY, text text) ON COMMIT DROP',
    [],
  )
  await query(
    'INSERT INTO bench_sentences SELECT n - 1, text FROM unnest($1::text[]) WITH ORDINALITY AS s (text, n)',
    [makeSentences()],
  )
}

/** Returns SQL for the words of a text to index. Each word begins with the end of its workspace's ID. */
function documentOf(workspaceID: string, text: string): string {
  return `replace(' ' || to_tsvector('simple', ${text})::text, ' ''', ' ''' || right(${workspaceID}, 4))::tsvector`
}

/**
 * Indexes the messages of these worlds. In their texts, PostgreSQL's `simple` configuration finds the same
 * words as the service. Drops the index and creates it again, because this is much faster than adding to it.
 */
export async function indexSeeded({ client }: Store, worlds: World[]): Promise<void> {
  const [index] = (
    await client.query("SELECT indexdef FROM pg_indexes WHERE indexname = 'searchable_messages_words'")
  ).rows as { indexdef: string }[]
  await client.query('DROP INDEX searchable_messages_words')
  await client.query(
    `INSERT INTO searchable_messages (workspace_id, created_at, position, message_id, edited_at, words)
     SELECT workspace_id, created_at, position, id, edited_at,
       ${documentOf('workspace_id', 'text')} || array_to_tsvector(ARRAY[thread_id, author_id])
     FROM messages WHERE workspace_id = ANY ($1) ORDER BY created_at, position, id`,
    [worlds.map(({ workspaceID }) => workspaceID)],
  )
  await client.query("SET maintenance_work_mem TO '1GB'")
  await client.query(index?.indexdef ?? '')
}
