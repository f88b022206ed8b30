import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { incomingDirectory } from './incoming.ts'
import { type Range, type Storage, StorageAway } from './storage.ts'

const mebibyte = 1024 * 1024
/** The smallest part that S3 allows. Two or three parts are in memory for each file that is being stored. */
const partBytes = 5 * mebibyte
const connectTimeoutMs = 5000
/** Until an answer begins. Its body can take as long as its reader does. */
const answerTimeoutMs = 60_000
/** Each download in flight holds a connection for as long as its reader takes. */
const maxSockets = 1000

export type S3Options = {
  bucket: string
  region: string
  endpoint: string | undefined
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  forcePathStyle: boolean
}

/** Opens a bucket. Bytes are received in `spool` first, so incomplete or wrong ones never reach the bucket. */
export async function s3Storage(options: S3Options, spool: string): Promise<Storage> {
  const incoming = await incomingDirectory(spool)
  const client = clientOf(options)
  await requireBucket(client, options)
  const at = (sha256: Uint8Array) => ({ Bucket: options.bucket, Key: keyOf(sha256) })
  return {
    receive: async (bytes) => {
      const { path, ...received } = await incoming.receive(bytes)
      return { ...received, keep: () => naming(upload(client, at(received.sha256), path)) }
    },
    open: (sha256, range) => naming(download(client, at(sha256), range)),
    remove: async (sha256) => {
      await naming(client.send(new DeleteObjectCommand(at(sha256))))
    },
    removeAbandoned: incoming.removeAbandoned,
    close: async () => client.destroy(),
  }
}

type Place = { Bucket: string; Key: string }

function clientOf({ region, endpoint, credentials, forcePathStyle }: S3Options): S3Client {
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    // Some stores other than AWS refuse checksums that the protocol does not require.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: answerTimeoutMs,
      socketTimeout: 0,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  })
}

async function requireBucket(client: S3Client, { bucket, endpoint }: S3Options): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }))
  } catch (error) {
    const reason =
      error instanceof Error && error.name !== 'UnknownError'
        ? error.message || error.name
        : 'the request was refused'
    throw new Error(`The bucket ${bucket} at ${endpoint ?? 'AWS'} cannot be used: ${reason}`)
  }
}

function keyOf(sha256: Uint8Array): string {
  const hex = Buffer.from(sha256).toString('hex')
  return `${hex.slice(0, 2)}/${hex.slice(2)}`
}

/** Uploads large files in parts. If a part fails for good, the others are removed. */
async function upload(client: S3Client, place: Place, path: string): Promise<void> {
  const params = { ...place, Body: createReadStream(path) }
  await new Upload({ client, params, partSize: partBytes, queueSize: 1 }).done()
}

async function download(client: S3Client, place: Place, range: Range | undefined): Promise<Readable> {
  const part = range && { Range: `bytes=${range.first}-${range.last}` }
  const { Body } = await client.send(new GetObjectCommand({ ...place, ...part }))
  return Body as Readable
}

/** Missing bytes are an error of Skein. Any other failure means that the store is unavailable. */
async function naming<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof NoSuchKey) throw cause
    throw new StorageAway('A request to the file storage failed', { cause })
  }
}
