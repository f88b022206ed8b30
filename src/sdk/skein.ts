import * as api from '../generated/sdk.ts'
import { SkeinError } from './errors.ts'
import type { EventsOptions } from './events/event.ts'
import { type Endpoint, eventFeed } from './events/event-feed.ts'
import { followEvents } from './events/follow-events.ts'
import {
  checkCallOptions,
  checkClientOptions,
  type GroupsOptions,
  type RequestOptions,
  type SearchOptions,
  type SkeinOptions,
  type ThreadsOptions,
  type UsersOptions,
} from './options.ts'
import { type MessagesOptions, readMessages, refuseTwoChoices, type SendDocument } from './read-messages.ts'
import {
  dataOf,
  graphqlRequest,
  isQuery,
  nodesOf,
  required,
  sourceOf,
  type TypedDocument,
} from './requests/graphql.ts'
import { type CallOptions, exchange, resultIn, retry } from './requests/http.ts'
import { RateLimitState } from './requests/rate-limit-state.ts'
import { requestToken, Tokens } from './requests/tokens.ts'
import { readUpload, type Upload, uploadOptions } from './requests/upload.ts'

/** The arguments after a document. The variables can be left out if none is required. */
type Rest<Variables> =
  Record<never, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions]

/**
 * A client of the GraphQL API for one app in one workspace, or for one access token. Every method can throw SkeinError,
 * or the reason of its abort signal. Methods for mutations are retried too, except as described at `isRepeatable` and
 * `sendMessage`.
 */
export class Skein {
  readonly #endpoint: Endpoint
  readonly #requests: RateLimitState
  readonly #uploads: RateLimitState
  readonly #options: CallOptions

  constructor(options: SkeinOptions) {
    checkClientOptions(options)
    const { baseURL, fetch = globalThis.fetch, ...caller } = options
    const root = baseURL.replace(/\/+$/, '')
    this.#requests = new RateLimitState(fetch)
    this.#uploads = new RateLimitState(fetch)
    this.#options = caller
    const tokenRequests = new RateLimitState(fetch)
    const tokens = new Tokens(
      caller.accessToken !== undefined
        ? async () => ({ value: caller.accessToken, renewAt: Number.POSITIVE_INFINITY })
        : () => requestToken(tokenRequests, root, caller),
    )
    this.#endpoint = { fetch, url: `${root}/public/graphql`, tokens }
  }

  /** Runs a document and returns its data. Throws if there is an error, even if there is also data. */
  request<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...rest: Rest<Variables>
  ): Promise<Result>
  request<Result = unknown>(
    document: string,
    variables?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<Result>
  async request<Result>(
    document: string | TypedDocument<Result, never>,
    variables?: unknown,
    options?: RequestOptions,
  ): Promise<Result> {
    return this.#run(document, variables, options)
  }

  me(options?: CallOptions) {
    return this.#field(api.MeDocument, 'me', {}, options)
  }

  users({ after, email, search, ...options }: UsersOptions = {}) {
    return nodesOf(after, (page) =>
      this.#field(api.UsersDocument, 'users', { ...page, email, search }, options),
    )
  }

  groups({ after, search, ...options }: GroupsOptions = {}) {
    return nodesOf(after, (page) => this.#field(api.GroupsDocument, 'groups', { ...page, search }, options))
  }

  thread(id: string, options?: CallOptions) {
    return this.#field(api.ThreadDocument, 'thread', { id }, options)
  }

  threads({ after, order, filter, ...options }: ThreadsOptions = {}) {
    return nodesOf(after, (page) =>
      this.#field(api.ThreadsDocument, 'threads', { ...page, order, filter }, options),
    )
  }

  /** Yields messages of a thread, oldest first. Yields each message exactly once, even if others post meanwhile. */
  messages(threadID: string, options: MessagesOptions = {}) {
    refuseTwoChoices(options)
    const send: SendDocument = (document, variables, options) => this.#run(document, variables, options)
    return readMessages(send, threadID, options)
  }

  /** Returns the cursor of the latest event. `events` can begin after it. */
  latestEventCursor(options?: CallOptions) {
    return this.#field(api.LatestEventCursorDocument, 'latestEventCursor', {}, options)
  }

  /** Yields each event exactly once, and reconnects. Without `after`, begins now. To stop, break the loop or abort. */
  events<Type extends api.EventType = api.EventType>(options: EventsOptions<Type> = {}) {
    const { after, types, threadID, groupID, signal = this.#options.signal, ...unknown } = options
    checkCallOptions(unknown)
    const begin = after === undefined ? this.latestEventCursor({ signal }) : Promise.resolve(after)
    // The iterator throws the error. Until then, Node.js must not treat the promise as unhandled.
    begin.catch(() => {})
    const load = (variables: api.EventsAfterQueryVariables) =>
      this.#field(api.EventsAfterDocument, 'events', variables, { signal, retries: 0 })
    const filter = { types: types && [...types], threadID, groupID }
    return followEvents(begin, eventFeed<Type>(this.#endpoint, load, filter, signal), signal)
  }

  /** Returns the DM with another user of the workspace. The DM is created when it is first requested. */
  async dm(userID: string, options?: CallOptions) {
    const thread = (await this.#run(api.DirectChatDocument, { userID }, options)).user?.chat
    if (!thread)
      throw new SkeinError('INVALID_INPUT', 'You cannot have a DM with yourself or with a deleted user.')
    return thread
  }

  /** Returns the messages that match a query, each with an `excerpt`. */
  search(query: string, { after, order, filter, ...options }: SearchOptions = {}) {
    return nodesOf(after, (page) => {
      const variables = { ...page, query, order, filter }
      return this.#field(api.SearchMessagesDocument, 'searchMessages', variables, options)
    })
  }

  /**
   * Sends a message. Adds a random `uniqueBy`, and a random `threadBy` if the message opens a thread, unless they are
   * given. Therefore a retry does not duplicate the message. A message to several recipients without a subject,
   * `fromMessageID` or `threadBy` is not retried, because a retry can create another thread.
   */
  async sendMessage(input: api.SendMessageInput, options?: CallOptions) {
    const { isRepeatable, ...keyed } = withKeys(input)
    const sent = await this.#field(api.SendMessageDocument, 'sendMessage', keyed, {
      ...options,
      isRepeatable,
    })
    // If the keys were generated here, this call created the message and the thread, even if a retry found them.
    const isOurThread = input.thread?.threadBy == null && keyed.input.thread?.threadBy != null
    const created = sent.created || input.message.uniqueBy == null
    return { ...sent, created, threadCreated: sent.threadCreated || isOurThread }
  }

  async editMessage(input: api.EditMessageInput, options?: CallOptions) {
    return (await this.#repeatable(api.EditMessageDocument, 'editMessage', input, options)).message
  }

  async deleteMessage(input: api.DeleteMessageInput, options?: CallOptions) {
    return (await this.#repeatable(api.DeleteMessageDocument, 'deleteMessage', input, options)).message
  }

  async addReaction(input: api.AddReactionInput, options?: CallOptions) {
    return (await this.#repeatable(api.AddReactionDocument, 'addReaction', input, options)).message
  }

  async removeReaction(input: api.RemoveReactionInput, options?: CallOptions) {
    return (await this.#repeatable(api.RemoveReactionDocument, 'removeReaction', input, options)).message
  }

  async markRead(input: api.MarkReadInput, options?: CallOptions) {
    return (await this.#repeatable(api.MarkReadDocument, 'markRead', input, options)).thread
  }

  /** Uploads a file. Put its ID into the `attachments` of a message. Also throws any error from reading the file. */
  async upload(file: Upload, options?: CallOptions): Promise<{ id: string }> {
    checkCallOptions(options)
    const own = { ...uploadOptions, ...this.#options, ...options }
    const { contentMD5, size, request } = await readUpload(file, own.signal)
    const contentType = 'application/octet-stream' // The service detects the type itself.
    const input = { name: file.name, contentLength: String(size), contentMD5, contentType }
    const attempt = async (signal: AbortSignal) => {
      const once = { ...options, retries: 0, signal }
      const ticket = await this.#field(api.UploadTicketDocument, 'uploadTicket', { input }, once)
      if (ticket.__typename === 'File') return { id: ticket.id }
      const headers = Object.fromEntries(ticket.headers.map(({ name, value }) => [name, value]))
      resultIn(await exchange(this.#uploads.fetch, ticket.url, { ...request(headers), signal }))
      const made = { input: { uploadTicketID: ticket.id } }
      const { file } = await this.#field(api.CreateFileDocument, 'createFile', made, once)
      return { id: file.id }
    }
    return retry(attempt, { ...own, isRepeatable: true, rateLimit: this.#uploads })
  }

  #repeatable<Result, Input, Field extends keyof Result>(
    document: TypedDocument<Result, { input: Input }>,
    field: Field,
    input: Input,
    options: CallOptions | undefined,
  ) {
    return this.#field(document, field, { input }, { ...options, isRepeatable: true })
  }

  /** Runs a document, and returns a field of its data. */
  async #field<Result, Variables, Field extends keyof Result>(
    document: TypedDocument<Result, Variables>,
    field: Field,
    variables: Variables,
    options: RequestOptions | undefined,
  ) {
    const data: Result = await this.#run(document, variables, options)
    return required(data[field])
  }

  async #run<Result>(
    document: string | TypedDocument<Result, never>,
    variables: unknown,
    options: RequestOptions | undefined,
  ): Promise<Result> {
    checkCallOptions(options)
    const query = sourceOf(document)
    const body = JSON.stringify({ query, variables })
    const { url, tokens } = this.#endpoint
    const rateLimit = this.#requests
    const own = { ...this.#options, isRepeatable: isQuery(query), ...options, rateLimit }
    own.signal?.throwIfAborted()
    const post = async (token: string, signal: AbortSignal): Promise<Result> =>
      dataOf(await exchange(rateLimit.fetch, url, { ...graphqlRequest(token, body), signal }))
    return tokens.use(({ value }) => retry((signal) => post(value, signal), own), own.signal)
  }
}

/** Adds the keys that `Skein.sendMessage` describes, and returns whether a retry is safe. */
function withKeys(input: api.SendMessageInput): { input: api.SendMessageInput; isRepeatable: boolean } {
  // If a program without types leaves out `message` or `recipients`, the service names the field.
  const message = { ...input.message, uniqueBy: input.message?.uniqueBy ?? crypto.randomUUID() }
  const { thread } = input
  if (!thread) return { input: { ...input, message }, isRepeatable: true }
  if (thread.subject == null && thread.fromMessageID == null) {
    const isRepeatable = thread.threadBy != null || thread.recipients?.length === 1
    return { input: { ...input, message }, isRepeatable }
  }
  const threadBy = thread.threadBy ?? crypto.randomUUID()
  return { input: { ...input, thread: { ...thread, threadBy }, message }, isRepeatable: true }
}
