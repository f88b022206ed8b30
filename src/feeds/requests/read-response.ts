import type { IncomingMessage } from 'node:http'

/** The status is null if there was no response. */
export type RequestResult = {
  status: number | null
  /** The beginning of the body. */
  response: string | null
  error: string | null
  retryAfter?: string | undefined
}

const keptBytes = 4096
/** A longer body is not read to its end, and the connection is not used again. */
const maxReadBytes = 65_536

/** Reads the beginning of a response. If the body does not end in time, the status still counts. */
export function readResponse(response: IncomingMessage): Promise<RequestResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      if (size < keptBytes) chunks.push(chunk)
      size += chunk.length
      if (size > maxReadBytes) response.destroy()
    })
    response.on('error', () => undefined)
    response.on('close', () =>
      resolve({
        status: response.statusCode ?? null,
        response: textOf(Buffer.concat(chunks).subarray(0, keptBytes)),
        error: null,
        retryAfter: response.headers['retry-after'],
      }),
    )
  })
}

// PostgreSQL cannot store NUL.
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\ufffd')
}
