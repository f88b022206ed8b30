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
/** The smallest part that there may be: two or three are in memory at a time, for each file that is being stored. */
const partBytes = 5 * mebibyte
const connectTimeoutMs = 5000
/** Of an answer to begin; how long its body takes is the reader's affair. */
const answerTimeoutMs = 60_000
/** Each download that is under way holds a connection, for as long as its reader takes. */
const maxSockets = 1000

export type S3Options = {
  bucket: string
  region: string
  endpoint: string | undefined
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  forcePathStyle: boolean
}

/**
 * Storage in a bucket of an S3-compatible store, under `ab/cdef...`. Bytes come in to a directory of this machine
 * first: so what has the wrong digest or breaks off never gets to the store, and what is sent there can be sent again,
 * part by part. Throws an Error that says what is wrong when the bucket cannot be used.
 */
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
    // Checksums that the protocol does not ask for are refused by some stores that are not AWS.
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
      error instanceof Error && error.name !== 'UnknownError' ? error.message || error.name : 'it is refused'
    throw new Error(`The bucket ${bucket} at ${endpoint ?? 'AWS'} cannot be used: ${reason}`)
  }
}

function keyOf(sha256: Uint8Array): string {
  const hex = Buffer.from(sha256).toString('hex')
  return `${hex.slice(0, 2)}/${hex.slice(2)}`
}

/** In parts where there are several; when one fails for good, those that are there are taken back. */
async function upload(client: S3Client, place: Place, path: string): Promise<void> {
  const params = { ...place, Body: createReadStream(path) }
  await new Upload({ client, params, partSize: partBytes, queueSize: 1 }).done()
}

async function download(client: S3Client, place: Place, range: Range | undefined): Promise<Readable> {
  const part = range && { Range: `bytes=${range.first}-${range.last}` }
  const { Body } = await client.send(new GetObjectCommand({ ...place, ...part }))
  return Body as Readable
}

/** Bytes that are not there are our fault; anything else is the store's. */
async function naming<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof NoSuchKey) throw cause
    throw new StorageAway('The store of files does not do as it is told', { cause })
  }
}
