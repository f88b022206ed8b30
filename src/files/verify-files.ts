import { createHash } from 'node:crypto'
import { type Context, requireOperator } from '../context.ts'
import { query } from '../database/query.ts'
import { invalidField } from '../errors.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { BytesMissing } from '../storage/storage.ts'

const mebibyte = 1024 * 1024
/** A check ends after these bytes or contents, so that it takes only some seconds. */
const maxBytes = 128 * mebibyte
const maxContents = 100

type Content = { sha256: Uint8Array; fileIDs: string[] }
type Kind = 'missing' | 'damaged' | 'unreadable'
type Fault = { sha256: string; kind: Kind; fileIDs: string[] }

/** Checks the contents after a digest. `next` is the digest to continue after. */
export async function verifyFiles(ctx: Context, after: string | null | undefined) {
  requireOperator(ctx)
  const contents = await contentsAfter(ctx, after ?? '')
  const faults: Fault[] = []
  let [bytes, checkedCount, next] = [0, 0, '']
  for (const { sha256, fileIDs } of contents) {
    if (bytes >= maxBytes) break
    const found = await read(ctx, sha256)
    next = Buffer.from(sha256).toString('hex')
    bytes += found.bytes
    checkedCount += 1
    if (found.kind) faults.push({ sha256: next, kind: found.kind, fileIDs })
  }
  const isLast = checkedCount === contents.length && contents.length < maxContents
  return { checkedCount, next: isLast ? null : next, faults }
}

async function contentsAfter({ db }: Context, after: string): Promise<Content[]> {
  if (!/^(?:[0-9a-f]{64})?$/.test(after)) throw invalidField('after', 'is not the `next` of a check')
  return query<Content>(
    db,
    Prisma.sql`
      SELECT c.sha256, ARRAY(SELECT f.id FROM files f WHERE f.sha256 = c.sha256 LIMIT 10) AS "fileIDs" FROM contents c
      WHERE c.sha256 > ${Buffer.from(after, 'hex')} AND EXISTS (SELECT FROM files f WHERE f.sha256 = c.sha256 OFFSET 0)
      ORDER BY c.sha256 LIMIT ${maxContents}::integer`,
  )
}

/** The errors of one file on a disk. Others concern the whole store. */
const errorsOfFile = ['EIO', 'EISDIR', 'EUCLEAN', 'EACCES', 'EPERM']

/** Reads stored bytes. Throws if the whole store does not answer. */
async function read({ storage, log }: Context, sha256: Uint8Array): Promise<{ bytes: number; kind?: Kind }> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of await storage.open(sha256)) {
      hash.update(chunk)
      bytes += chunk.length
    }
  } catch (err) {
    if (err instanceof BytesMissing) return { bytes, kind: 'missing' }
    if (!errorsOfFile.includes((err as NodeJS.ErrnoException).code ?? '')) throw err
    log.warn({ err }, 'the bytes of a file cannot be read')
    return { bytes, kind: 'unreadable' }
  }
  return hash.digest().equals(sha256) ? { bytes } : { bytes, kind: 'damaged' }
}
