import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { buildApp } from 'fauxqs'
import type { S3Options } from '../../src/storage/s3-storage.ts'
import { atEnd } from './at-end.ts'

/** An S3-compatible store in this process, with one bucket. */
export type S3Server = {
  options: S3Options
  /** The environment variables with which the service uses this store. */
  env: Record<string, string>
  /** Returns the keys of all objects in the bucket. */
  keys(): Promise<string[]>
  /** Returns the IDs of multipart uploads that were neither completed nor aborted. */
  unfinished(): string[]
  /** Makes the next requests of a kind fail with 503. The kind is an HTTP method, or a part such as `part 2`. */
  fail(what: string, times: number): void
  stop(): Promise<void>
}

type Query = { uploads?: string; uploadId?: string; partNumber?: string }

/** Starts a store that stops after the file's tests. */
export async function startS3(): Promise<S3Server> {
  const app = buildApp({ logger: false })
  const unfinished = new Set<string>()
  const failures = new Map<string, number>()
  app.addHook('onRequest', async (request, reply) => {
    const { partNumber } = request.query as Query
    for (const name of [`part ${partNumber}`, request.method]) {
      const left = failures.get(name) ?? 0
      failures.set(name, left - 1)
      if (left > 0)
        return reply.code(503).header('connection', 'close').send('<Error><Code>SlowDown</Code></Error>')
    }
    return undefined
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const { uploads, uploadId } = request.query as Query
    if (uploads !== undefined) unfinished.add(/<UploadId>(.*)<\/UploadId>/.exec(String(payload))?.[1] ?? '')
    const ends = request.method === 'DELETE' || request.method === 'POST'
    if (uploadId && ends && reply.statusCode < 300) unfinished.delete(uploadId)
    return payload
  })
  const endpoint = await app.listen({ host: '127.0.0.1', port: 0 })
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const options: S3Options = {
    bucket: 'files',
    region: 'us-east-1',
    endpoint,
    credentials,
    forcePathStyle: true,
  }
  const client = new S3Client({ region: 'us-east-1', endpoint, credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: options.bucket }))
  const keys = async () => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: options.bucket }))
    return Contents.map(({ Key = '' }) => Key)
  }
  let stopping: Promise<void> | undefined
  const stop = () => {
    client.destroy()
    app.server.closeAllConnections()
    stopping ??= app.close()
    return stopping
  }
  atEnd(stop)
  const env = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: options.bucket,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'on',
  }
  const fail = (what: string, times: number) => void failures.set(what, times)
  return { options, env, keys, unfinished: () => [...unfinished], fail, stop }
}
