import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { bindingOf } from '../../platform/request-database.ts'
import type { Term } from '../../text/search/query.ts'
import { wordPrefixOf } from './filter-tokens.ts'
import type { Search } from './search.ts'

/** A word that is not in the statistics is in at most about this many messages. */
const maxUncounted = 20_000
/** A word is common if at least one in this many messages contains it. */
const commonFrom = 50
const cacheMs = 60_000

type Frequencies = ReadonlyMap<string, number>
type Counted = { frequencies: Frequencies | undefined; until: number }
const cache = new WeakMap<object, Counted>()

/** Returns whether matches are common according to PostgreSQL's statistics, or undefined if a sample is needed. */
export async function frequencyClassOf(
  db: Database,
  { searchQuery, workspaceID, isNarrowed }: Pick<Search, 'searchQuery' | 'workspaceID' | 'isNarrowed'>,
): Promise<'uncommon' | 'common' | undefined> {
  const frequencies = await frequenciesOfWords(db)
  if (!frequencies) return undefined
  const frequencyOf = (word: string) => frequencies.get(wordPrefixOf(workspaceID) + word)
  const isUncommon = (term: Term) => wholeWords(term).some((word) => frequencyOf(word) === undefined)
  if (searchQuery.all.some((terms) => terms.every(isUncommon))) return 'uncommon'
  const [terms = [], ...others] = searchQuery.all
  if (isNarrowed || others.length > 0 || searchQuery.none.length > 0) return undefined
  const isCommon = ({ words: [word = '', ...rest] }: Term) =>
    rest.length === 0 && (frequencyOf(word) ?? 0) * commonFrom >= 1
  return terms.some(isCommon) ? 'common' : undefined
}

function wholeWords({ words, isPrefix }: Term): readonly string[] {
  return isPrefix ? words.slice(0, -1) : words
}

// Maps each word, with the prefix of its workspace, to the share of all documents that contain the word. The share
// among the documents of the workspace is at least as large. Returns undefined if the statistics do not exist, list too
// few words, or are outdated.
async function frequenciesOfWords(db: Database): Promise<Frequencies | undefined> {
  const { shared } = bindingOf(db)
  const cached = cache.get(shared)
  if (cached && cached.until > performance.now()) return cached.frequencies
  // In `most_common_elem_freqs`, the frequencies of the words are followed by the lowest frequency. No word that is not
  // in the list is more frequent.
  const [counted] = await query<{ words: string[]; frequencies: number[] }>(
    db,
    Prisma.sql`
      SELECT counted.words, s.most_common_elem_freqs AS frequencies
      FROM pg_class c
      JOIN pg_stat_all_tables changes ON changes.relid = c.oid
      JOIN pg_stats s ON s.schemaname = changes.schemaname AND s.tablename = changes.relname AND s.attname = 'words'
      CROSS JOIN LATERAL (SELECT s.most_common_elems::text::text[] AS words) AS counted
      WHERE c.oid = 'searchable_messages'::regclass AND changes.n_mod_since_analyze * 5 <= c.reltuples
        AND s.most_common_elem_freqs[cardinality(counted.words) + 1] * c.reltuples <= ${maxUncounted}`,
  )
  const frequencies =
    counted && new Map(counted.words.map((word, index) => [word, counted.frequencies[index] ?? 0]))
  cache.set(shared, { frequencies, until: performance.now() + cacheMs })
  return frequencies
}
