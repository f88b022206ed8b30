import { Prisma } from '../../generated/prisma/client.ts'
import type { Database } from '../../platform/database.ts'
import { query } from '../../platform/query.ts'
import type { Term } from '../../platform/search/query.ts'
import { boundsOf } from '../../platform/until.ts'
import { realmOf } from './marks.ts'
import type { Search } from './search.ts'

/** Of a word that is not common there may be as many matches. */
const maxUncommon = 20_000
const rememberMs = 60_000

type Known = { words: ReadonlySet<string> | undefined; until: number }
const known = new WeakMap<object, Known>()

/**
 * Whether so few documents may match that they are soon gathered, by PostgreSQL's statistics of the words that are in
 * most documents. False where these do not tell: then a sample has to.
 */
export async function isUncommon(
  db: Database,
  { asked, workspaceID }: Pick<Search, 'asked' | 'workspaceID'>,
): Promise<boolean> {
  const realm = realmOf(workspaceID)
  const common = await commonWords(db)
  if (!common) return false
  const isUncommonTerm = (term: Term) => wholeWords(term).some((word) => !common.has(realm + word))
  return asked.all.some((terms) => terms.every(isUncommonTerm))
}

function wholeWords({ words, isPrefix }: Term): readonly string[] {
  return isPrefix ? words.slice(0, -1) : words
}

/** Undefined where PostgreSQL counted too few words, too long ago or not at all. */
async function commonWords(db: Database): Promise<ReadonlySet<string> | undefined> {
  const { shared } = boundsOf(db)
  const remembered = known.get(shared)
  if (remembered && remembered.until > Date.now()) return remembered.words
  // After the frequencies of the words comes the least of them, which no other word is above.
  const [counted] = await query<{ words: string[] }>(
    db,
    Prisma.sql`
      SELECT counted.words
      FROM pg_class c
      JOIN pg_stat_all_tables changes ON changes.relid = c.oid
      JOIN pg_stats s ON s.schemaname = changes.schemaname AND s.tablename = changes.relname AND s.attname = 'words'
      CROSS JOIN LATERAL (SELECT s.most_common_elems::text::text[] AS words) AS counted
      WHERE c.oid = 'searchable_messages'::regclass AND changes.n_mod_since_analyze * 5 <= c.reltuples
        AND s.most_common_elem_freqs[cardinality(counted.words) + 1] * c.reltuples <= ${maxUncommon}`,
  )
  const words = counted && new Set(counted.words)
  known.set(shared, { words, until: Date.now() + rememberMs })
  return words
}
