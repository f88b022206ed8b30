import { check, checkOptions, is } from './check-options.ts'
import { type CallOptions, exchange, type Fetch, repeat, resultIn } from './http.ts'
import { Pace } from './pace.ts'
import { readUpload, type Upload, uploadOptions } from './upload.ts'

/** A message to post. */
export type WebhookMessage = {
  /** Markdown. */
  text: string
  /** A group, a thread, or the workspace for its General group; may be left out where the URL has it. */
  target?: string
  /** Opens a thread with this subject in the target group. */
  threadSubject?: string
  /** A key of the caller's own: the first call makes the thread, later ones append to it. */
  threadBy?: string
  /** A key of the caller's own: a later call with it replaces the text and attachments of the message. */
  uniqueBy?: string
  /** IDs that `upload` gave. */
  attachments?: string[]
}

/** Where a message went. `created` is false if `uniqueBy` updated one; `threadCreated` is true if the call opened the thread. */
export type WebhookPost = { messageID: string; threadID: string; created: boolean; threadCreated: boolean }

/** A webhook, by its URL, which is the whole credential: nothing here shows it. */
export class Webhook {
  readonly #url: URL
  readonly #posts: Pace
  readonly #uploads: Pace
  readonly #options: CallOptions

  constructor(url: string, { fetch = globalThis.fetch, ...options }: CallOptions & { fetch?: Fetch } = {}) {
    if (!/^https?:\/\/.+\/webhook\/wbh_\w+\/[\w-]+(\?[^#]*)?$/.test(url)) {
      throw new TypeError(
        "This is not a webhook's URL, such as https://skein.example.com/webhook/wbh_.../<key>.",
      )
    }
    checkOptions('webhook', { fetch, ...options })
    this.#url = new URL(url)
    this.#posts = new Pace(fetch)
    this.#uploads = new Pace(fetch)
    this.#options = options
  }

  /**
   * Posts a message. It gets a random `uniqueBy`, and `threadBy` where it opens a thread, unless they are given: so it
   * is safe to try again when an answer was lost, and no message is there twice. Throws SkeinError.
   */
  async post(message: WebhookMessage, options?: CallOptions): Promise<WebhookPost> {
    check({ message }, { message: is.object })
    check({ text: message.text }, { text: is.string })
    checkOptions('call', options)
    const uniqueBy = message.uniqueBy ?? crypto.randomUUID()
    const threadBy = message.threadBy ?? (message.threadSubject == null ? undefined : crypto.randomUUID())
    const posted = await this.#send<WebhookPost>(this.#posts, this.#url, options, () => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...message, uniqueBy, threadBy }),
    }))
    // With keys of ours this call created both, also if a second attempt found them there.
    const threadCreated = posted.threadCreated || (message.threadBy == null && threadBy !== undefined)
    return { ...posted, created: posted.created || message.uniqueBy == null, threadCreated }
  }

  /** Uploads a file; its ID goes into the `attachments` of a message. Throws SkeinError, and what reading it throws. */
  async upload(file: Upload, options?: CallOptions): Promise<{ id: string }> {
    checkOptions('call', options)
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

  #send<T>(pace: Pace, url: URL, options: CallOptions | undefined, request: () => RequestInit): Promise<T> {
    return repeat(
      async (signal) => resultIn<T>(await exchange(pace.fetch, url.href, { ...request(), signal })),
      { ...this.#options, ...options, isRepeatable: true, pace },
    )
  }
}
