import * as api from '../generated/sdk.ts'
import { argumentRules, check, checkClientOptions, checkInput, checkOptions } from './check-options.ts'
import { SkeinError } from './errors.ts'
import type { EventsOptions } from './events/event.ts'
import { eventFeed } from './events/event-feed.ts'
import { followEvents } from './events/follow-events.ts'
import { withKeys } from './message-keys.ts'
import {
  checkMessagesOptions,
  type MessagesOptions,
  readMessages,
  type SendDocument,
} from './read-messages.ts'
import {
  dataOf,
  graphqlRequest,
  isQuery,
  nodesOf,
  required,
  sourceOf,
  type TypedDocument,
} from './requests/graphql.ts'
import { type CallOptions, exchange, type Fetch, resultIn, retry } from './requests/http.ts'
import { RateLimitState } from './requests/rate-limit-state.ts'
import { type Credentials, requestToken, Tokens } from './requests/tokens.ts'
import { readUpload, type Upload, uploadOptions } from './requests/upload.ts'

/** The address of the service, and the credentials of an app or an access token. */
export type SkeinOptions = (
  | (Credentials & { accessToken?: never })
  | ({ accessToken: string } & { [Name in keyof Credentials]?: never })
) &
  CallOptions & {
    /** The address of the service, such as https://skein.example.com. */
    baseURL: string
    /** Replaces the global `fetch`. */
    fetch?: Fetch
  }

/** The options of one request. */
export type RequestOptions = CallOptions & {
  /** Whether a retry is safe if the response was lost. By default true for queries, and false for mutations. */
  isRepeatable?: boolean
}

/** The options of a list. The list starts after the node with the cursor `after`. */
export type ListOptions = CallOptions & { after?: string }
/** The options of a list of groups. `search` selects groups by the start of a word of their name. */
export type GroupsOptions = ListOptions & { search?: string }
/** `search` selects users by the start of a word of their name. `email` needs the scope users.email:read. */
export type UsersOptions = GroupsOptions & { email?: string }
type ThreadsOptions = ListOptions & { order?: api.ThreadOrder; filter?: api.ThreadFilter }
type SearchOptions = ListOptions & { order?: api.MessageSearchOrder; filter?: api.MessageSearchFilter }

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
  readonly #url: string
  readonly #fetch: Fetch
  readonly #requests: RateLimitState
  readonly #uploads: RateLimitState
  readonly #tokens: Tokens
  readonly #options: CallOptions

  constructor(options: SkeinOptions) {
    checkClientOptions(options)
    const { baseURL, fetch = globalThis.fetch, ...caller } = options
    const root = baseURL.replace(/\/+$/, '')
    this.#url = `${root}/public/graphql`
    this.#fetch = fetch
    this.#requests = new RateLimitState(fetch)
    this.#uploads = new RateLimitState(fetch)
    this.#options = caller
    const tokenRequests = new RateLimitState(fetch)
    this.#tokens = new Tokens(
      caller.accessToken !== undefined
        ? async () => ({ value: caller.accessToken, renewAt: Number.POSITIVE_INFINITY })
        : () => requestToken(tokenRequests, root, caller),
    )
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
    options: RequestOptions = {},
  ): Promise<Result> {
    check(
      { document, variables: variables ?? {} },
      { document: argumentRules.document, variables: argumentRules.object },
    )
    checkOptions('request', options)
    return this.#run(document, variables, options)
  }

  async me(options?: CallOptions) {
    return (await this.request(api.MeDocument, {}, options)).me
  }

  users(options?: UsersOptions) {
    const { after, email, search, ...rest } = checkOptions('users', options)
    return nodesOf(after, async (page) => {
      return (await this.request(api.UsersDocument, { ...page, email, search }, rest)).users
    })
  }

  groups(options?: GroupsOptions) {
    const { after, search, ...rest } = checkOptions('groups', options)
    return nodesOf(
      after,
      async (page) => (await this.request(api.GroupsDocument, { ...page, search }, rest)).groups,
    )
  }

  async thread(id: string, options?: CallOptions) {
    check({ id }, { id: argumentRules.text })
    return required((await this.request(api.ThreadDocument, { id }, options)).thread)
  }

  threads(options?: ThreadsOptions) {
    const { after, order, filter, ...rest } = checkOptions('threads', options)
    return nodesOf(after, async (page) => {
      return (await this.request(api.ThreadsDocument, { ...page, order, filter }, rest)).threads
    })
  }

  /** Yields messages of a thread, oldest first. Yields each message exactly once, even if others post meanwhile. */
  messages(threadID: string, options: MessagesOptions = {}) {
    check({ threadID }, { threadID: argumentRules.text })
    checkMessagesOptions(options)
    const request: SendDocument = (document, variables, options) => this.#run(document, variables, options)
    return readMessages(request, threadID, options)
  }

  /** Returns the cursor of the latest event. `events` can begin after it. */
  async latestEventCursor(options?: CallOptions) {
    return required((await this.request(api.LatestEventCursorDocument, {}, options)).latestEventCursor)
  }

  /** Yields each event exactly once, and reconnects. Without `after`, begins now. To stop, break the loop or abort. */
  events<Type extends api.EventType = api.EventType>(options?: EventsOptions<Type>) {
    const { after, types, signal = this.#options.signal, ...rest } = checkOptions('events', options)
    const begin = after === undefined ? this.latestEventCursor({ signal }) : Promise.resolve(after)
    // The iterator throws the error. Until then, Node.js must not treat the promise as unhandled.
    begin.catch(() => {})
    const load = async (variables: api.EventsAfterQueryVariables) =>
      required((await this.#run(api.EventsAfterDocument, variables, { signal, retries: 0 })).events)
    const endpoint = { fetch: this.#fetch, url: this.#url, tokens: this.#tokens }
    const feed = eventFeed<Type>(endpoint, load, { ...rest, types: types && [...types] }, signal)
    return followEvents(begin, feed, signal)
  }

  /** Returns the DM with another user of the workspace. The DM is created when it is first requested. */
  async dm(userID: string, options?: CallOptions) {
    check({ userID }, { userID: argumentRules.text })
    const thread = (await this.request(api.DirectChatDocument, { userID }, options)).user?.chat
    if (!thread)
      throw new SkeinError('INVALID_INPUT', 'You cannot have a DM with yourself or with a deleted user.')
    return thread
  }

  /** Returns the messages that match a query, each with an `excerpt`. */
  search(query: string, options?: SearchOptions) {
    check({ query }, { query: argumentRules.string })
    const { after, order, filter, ...rest } = checkOptions('search', options)
    return nodesOf(after, async (page) => {
      const variables = { ...page, query, order, filter }
      return (await this.request(api.SearchMessagesDocument, variables, rest)).searchMessages
    })
  }

  /**
   * Sends a message. Adds a random `uniqueBy`, and a random `threadBy` if the message opens a thread, unless they are
   * given. Therefore a retry does not duplicate the message. A message to several recipients without a subject,
   * `fromMessageID` or `threadBy` is not retried, because a retry can create another thread.
   */
  async sendMessage(input: api.SendMessageInput, options?: CallOptions) {
    const keyed = withKeys(input)
    const { isRepeatable } = keyed
    const data = await this.request(
      api.SendMessageDocument,
      { input: keyed.input },
      { ...options, isRepeatable },
    )
    const sent = required(data.sendMessage)
    // If the keys were generated here, this call created the message and the thread, even if a retry found them.
    const isOurThread = input.thread?.threadBy == null && keyed.input.thread?.threadBy != null
    const created = sent.created || input.message.uniqueBy == null
    return { ...sent, created, threadCreated: sent.threadCreated || isOurThread }
  }

  async editMessage(input: api.EditMessageInput, options?: CallOptions) {
    return required(
      (await this.#repeatable('EditMessageInput', api.EditMessageDocument, input, options)).editMessage,
    ).message
  }

  async deleteMessage(input: api.DeleteMessageInput, options?: CallOptions) {
    return required(
      (await this.#repeatable('DeleteMessageInput', api.DeleteMessageDocument, input, options)).deleteMessage,
    ).message
  }

  async addReaction(input: api.AddReactionInput, options?: CallOptions) {
    return required(
      (await this.#repeatable('AddReactionInput', api.AddReactionDocument, input, options)).addReaction,
    ).message
  }

  async removeReaction(input: api.RemoveReactionInput, options?: CallOptions) {
    return required(
      (await this.#repeatable('RemoveReactionInput', api.RemoveReactionDocument, input, options))
        .removeReaction,
    ).message
  }

  /** Uploads a file. Put its ID into the `attachments` of a message. Also throws any error from reading the file. */
  async upload(file: Upload, options?: CallOptions): Promise<{ id: string }> {
    checkOptions('call', options)
    const own = { ...uploadOptions, ...this.#options, ...options }
    const { contentMD5, size, request } = await readUpload(file, own.signal)
    const contentType = 'application/octet-stream' // The service detects the type itself.
    const input = { name: file.name, contentLength: String(size), contentMD5, contentType }
    const attempt = async (signal: AbortSignal) => {
      const once = { ...options, retries: 0, signal }
      const ticket = required((await this.request(api.UploadTicketDocument, { input }, once)).uploadTicket)
      if (ticket.__typename === 'File') return { id: ticket.id }
      const headers = Object.fromEntries(ticket.headers.map(({ name, value }) => [name, value]))
      resultIn(await exchange(this.#uploads.fetch, ticket.url, { ...request(headers), signal }))
      const created = await this.request(
        api.CreateFileDocument,
        { input: { uploadTicketID: ticket.id } },
        once,
      )
      return { id: required(created.createFile).file.id }
    }
    return retry(attempt, { ...own, isRepeatable: true, rateLimit: this.#uploads })
  }

  async markRead(input: api.MarkReadInput, options?: CallOptions) {
    return required((await this.#repeatable('MarkReadInput', api.MarkReadDocument, input, options)).markRead)
      .thread
  }

  async #run<Result>(
    document: string | TypedDocument<Result, never>,
    variables: unknown,
    options: RequestOptions,
  ): Promise<Result> {
    const query = sourceOf(document)
    const body = JSON.stringify({ query, variables })
    return this.#send(body, { ...this.#options, isRepeatable: isQuery(query), ...options })
  }

  #repeatable<Result, Input>(
    type: string,
    document: TypedDocument<Result, { input: Input }>,
    input: Input,
    options: CallOptions | undefined,
  ): Promise<Result> {
    checkInput(type, input)
    return this.request(document, { input }, { ...options, isRepeatable: true })
  }

  async #send<Result>(body: string, options: RequestOptions & { isRepeatable: boolean }): Promise<Result> {
    options.signal?.throwIfAborted()
    const rateLimit = this.#requests
    const post = async (token: string, signal: AbortSignal): Promise<Result> =>
      dataOf(await exchange(rateLimit.fetch, this.#url, { ...graphqlRequest(token, body), signal }))
    return this.#tokens.use(
      ({ value }) => retry((signal) => post(value, signal), { ...options, rateLimit }),
      options.signal,
    )
  }
}
