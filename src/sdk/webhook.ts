import type { MessageInput } from '../generated/sdk.ts'
import { checkCallOptions } from './options.ts'
import { type CallOptions, exchange, type Fetch, resultIn, retry } from './requests/http.ts'
import { RateLimitState } from './requests/rate-limit-state.ts'
import { readUpload, type Upload, uploadOptions } from './requests/upload.ts'

/** A message to post, and its target. */
export type WebhookMessage = MessageInput & {
  /** The ID of a group or thread, or of the workspace for its General group. Optional if the URL contains it. */
  target?: string
  /** Opens a thread with this subject in the target group. */
  threadSubject?: string
  /** A key of your choice. The first call with a key creates the thread, and later calls append to it. */
  threadBy?: string
}

/** `created` is false if the call updated a message. `threadCreated` is true if the call opened the thread. */
export type WebhookPost = { messageID: string; threadID: string; created: boolean; threadCreated: boolean }

/** A client of one webhook. It never reveals the URL of the webhook, because the URL is the only credential. */
export class Webhook {
  readonly #url: URL
  readonly #posts: RateLimitState
  readonly #uploads: RateLimitState
  readonly #options: CallOptions

  constructor(url: string, { fetch = globalThis.fetch, ...options }: CallOptions & { fetch?: Fetch } = {}) {
    if (!/^https?:\/\/.+\/webhook\/wbh_\w+\/[\w-]+(\?[^#]*)?$/.test(url)) {
      throw new TypeError(
        'This is not a webhook URL. A webhook URL looks like https://skein.example.com/webhook/wbh_.../<key>.',
      )
    }
    checkCallOptions(options)
    this.#url = new URL(url)
    this.#posts = new RateLimitState(fetch)
    this.#uploads = new RateLimitState(fetch)
    this.#options = options
  }

  /** Posts a message. Adds a random `uniqueBy` and `threadBy` if missing, so that a retry does not duplicate it. */
  async post(message: WebhookMessage, options?: CallOptions): Promise<WebhookPost> {
    checkCallOptions(options)
    const uniqueBy = message.uniqueBy ?? crypto.randomUUID()
    const opensThread = message.threadSubject != null && !message.target?.startsWith('thr_')
    const threadBy = message.threadBy ?? (opensThread ? crypto.randomUUID() : undefined)
    const posted = await this.#send<WebhookPost>(this.#posts, this.#url, options, () => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...message, uniqueBy, threadBy }),
    }))
    // If the keys were generated here, this call created the message and the thread, even if a retry found them.
    const threadCreated = posted.threadCreated || (message.threadBy == null && threadBy !== undefined)
    return { ...posted, created: posted.created || message.uniqueBy == null, threadCreated }
  }

  /** Uploads a file. Put its ID into the `attachments` of a message. Also throws any error from reading the file. */
  async upload(file: Upload, options?: CallOptions): Promise<{ id: string }> {
    checkCallOptions(options)
    const url = new URL(this.#url)
    url.pathname += '/attachment'
    const own = { ...uploadOptions, ...this.#options, ...options }
    const { contentMD5, request } = await readUpload(file, own.signal)
    const headers = {
      'x-file-name': encodeURIComponent(file.name.toWellFormed()),
      'content-md5': contentMD5,
    }
    return this.#send<{ id: string }>(this.#uploads, url, own, () => request(headers))
  }

  #send<T>(
    rateLimit: RateLimitState,
    url: URL,
    options: CallOptions | undefined,
    request: () => RequestInit,
  ): Promise<T> {
    return retry(
      async (signal) => resultIn<T>(await exchange(rateLimit.fetch, url.href, { ...request(), signal })),
      { ...this.#options, ...options, isRepeatable: true, rateLimit },
    )
  }
}
