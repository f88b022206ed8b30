import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { incomingDirectory } from './incoming.ts'
import { type ByteRange, BytesMissing, type Storage, StorageUnavailable } from './storage.ts'

const mebibyte = 1024 * 1024
// The smallest part that S3 allows. Each upload in flight has two or three parts in memory.
const partBytes = 5 * mebibyte
const connectTimeoutMs = 5000
// The time limit until an answer begins. The body of the answer has no time limit.
const answerTimeoutMs = 60_000
// Each download in flight holds a connection until its reader has read everything.
const maxSockets = 1000

export type S3Options = {
  bucket: string
  region: string
  endpoint: string | undefined
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  forcePathStyle: boolean
}

/** Opens a bucket. Receives bytes in a local directory first. Incomplete or wrong bytes never reach the bucket. */
export async function s3Storage(options: S3Options, directory: string): Promise<Storage> {
  const incoming = await incomingDirectory(directory)
  const client = clientOf(options)
  await requireBucket(client, options)
  const at = (sha256: Uint8Array) => ({ Bucket: options.bucket, Key: keyOf(sha256) })
  return {
    receive: async (bytes) => {
      const { path, ...received } = await incoming.receive(bytes)
      return { ...received, store: () => convertErrors(upload(client, at(received.sha256), path)) }
    },
    open: (sha256, range) => convertErrors(download(client, at(sha256), range)),
    remove: async (sha256) => {
      await convertErrors(client.send(new DeleteObjectCommand(at(sha256))))
    },
    removeAbandoned: incoming.removeAbandoned,
    check: async () => {
      await incoming.check()
      await convertErrors(client.send(new HeadBucketCommand({ Bucket: options.bucket })))
    },
    close: async () => client.destroy(),
  }
}

type S3Object = { Bucket: string; Key: string }

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
    throw new Error(`The bucket ${bucket} at ${endpoint ?? 'AWS'} cannot be used: ${reasonOf(error)}`)
  }
}

const reasons: Record<number, string> = {
  301: 'it is in another region. Set S3_REGION to its region',
  400: 'the request is not valid. Check S3_ENDPOINT, S3_REGION and S3_FORCE_PATH_STYLE',
  401: 'the credentials are not accepted. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  403: 'the credentials are not accepted, or do not give access to it. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  404: 'it does not exist. Check S3_BUCKET, S3_ENDPOINT and S3_FORCE_PATH_STYLE',
}

// The response to HEAD has no body. Therefore the library knows only the status, and calls each error unknown.
function reasonOf(error: unknown): string {
  if (!(error instanceof S3ServiceException)) return error instanceof Error ? error.message : String(error)
  const { httpStatusCode: status = 0 } = error.$metadata
  return reasons[status] ?? `it answered with status ${status}`
}

function keyOf(sha256: Uint8Array): string {
  const hex = Buffer.from(sha256).toString('hex')
  return `${hex.slice(0, 2)}/${hex.slice(2)}`
}

async function upload(client: S3Client, object: S3Object, path: string): Promise<void> {
  const params = { ...object, Body: createReadStream(path) }
  await new Upload({ client, params, partSize: partBytes, queueSize: 1 }).done()
}

async function download(client: S3Client, object: S3Object, range: ByteRange | undefined): Promise<Readable> {
  const part = range && { Range: `bytes=${range.first}-${range.last}` }
  const { Body } = await client.send(new GetObjectCommand({ ...object, ...part }))
  return Body as Readable
}

async function convertErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof NoSuchKey) throw new BytesMissing('The bytes of a file are missing', { cause })
    throw new StorageUnavailable('A request to the file storage failed', { cause })
  }
}
