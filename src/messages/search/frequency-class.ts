import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { boundsOf } from '../../platform/until.ts'
import type { Term } from '../../text/search/query.ts'
import { realmOf } from './marks.ts'
import type { Search } from './search.ts'

/** A word that is not in the statistics has at most this many matches. */
const maxUncounted = 20_000
/** A word is common if one in this many messages has it. */
const commonFrom = 50
const rememberMs = 60_000

type Frequencies = ReadonlyMap<string, number>
type Counted = { frequencies: Frequencies | undefined; until: number }
const known = new WeakMap<object, Counted>()

/**
 * Returns how common matches are, by PostgreSQL's statistics of frequent words: so uncommon that all are soon
 * gathered, or so common that they are everywhere. If it returns undefined, a sample must tell.
 */
export async function commonnessOf(
  db: Database,
  { asked, workspaceID, isNarrowed }: Pick<Search, 'asked' | 'workspaceID' | 'isNarrowed'>,
): Promise<'uncommon' | 'common' | undefined> {
  const frequencies = await frequenciesOfWords(db)
  if (!frequencies) return undefined
  const frequencyOf = (word: string) => frequencies.get(realmOf(workspaceID) + word)
  const isUncommon = (term: Term) => wholeWords(term).some((word) => frequencyOf(word) === undefined)
  if (asked.all.some((terms) => terms.every(isUncommon))) return 'uncommon'
  const [terms = [], ...others] = asked.all
  if (isNarrowed || others.length > 0 || asked.none.length > 0) return undefined
  const isCommon = ({ words: [word = '', ...rest] }: Term) =>
    rest.length === 0 && (frequencyOf(word) ?? 0) * commonFrom >= 1
  return terms.some(isCommon) ? 'common' : undefined
}

function wholeWords({ words, isPrefix }: Term): readonly string[] {
  return isPrefix ? words.slice(0, -1) : words
}

// Returns the share of documents that have a word, by the word with its realm. In the word's workspace, the share is
// at least as large. Undefined if PostgreSQL counted too few words, too long ago or not at all.
async function frequenciesOfWords(db: Database): Promise<Frequencies | undefined> {
  const { shared } = boundsOf(db)
  const remembered = known.get(shared)
  if (remembered && remembered.until > Date.now()) return remembered.frequencies
  // After the frequencies of the words comes the lowest of them, which no other word exceeds.
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
  known.set(shared, { frequencies, until: Date.now() + rememberMs })
  return frequencies
}
