import * as api from '../generated/sdk.ts'
import { check, checkClientOptions, checkOptions, is } from './check-options.ts'
import { SkeinError } from './errors.ts'
import { dataOf, given, isQuery, nodesOf, sourceOf, type TypedDocument } from './graphql.ts'
import { type CallOptions, exchange, type Fetch, repeat, resultIn } from './http.ts'
import { withKeys } from './message-keys.ts'
import { Pace } from './pace.ts'
import { checkMessagesOptions, type MessagesOptions, type Request, readMessages } from './read-messages.ts'
import { type Credentials, requestToken, Tokens } from './tokens.ts'
import { readUpload, type Upload, uploadOptions } from './upload.ts'

/** Where the service is, and who calls: an app by its credentials, or whoever has an access token. */
export type SkeinOptions = (
  | (Credentials & { accessToken?: never })
  | ({ accessToken: string } & { [Name in keyof Credentials]?: never })
) &
  CallOptions & {
    /** Such as https://skein.example.com */
    baseURL: string
    /** Takes the place of the global `fetch`. */
    fetch?: Fetch
  }

/** The options of one request. */
export type RequestOptions = CallOptions & {
  /** Whether it is safe to send it again when an answer was lost. Queries are; mutations are not unless told. */
  isRepeatable?: boolean
}

/** The options of a list: where to begin, after the cursor of a node that was read before. */
export type ListOptions = CallOptions & { after?: string }
/** Of all users, or of those with an email address, for which an app needs the scope users.email:read. */
export type UsersOptions = ListOptions & { email?: string }
type ThreadsOptions = ListOptions & { order?: api.ThreadOrder; filter?: api.ThreadFilter }
type SearchOptions = ListOptions & { order?: api.MessageSearchOrder; filter?: api.MessageSearchFilter }

/** What follows a document. The variables may be left out where none is required. */
type Rest<Variables> =
  Record<never, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions]

/**
 * The GraphQL door, for one app in one workspace. Everything throws SkeinError, and what its signal was aborted with.
 * The methods for mutations are safe to repeat, and are repeated.
 */
export class Skein {
  readonly #url: string
  readonly #requests: Pace
  readonly #uploads: Pace
  readonly #tokens: Tokens
  readonly #options: CallOptions

  constructor(options: SkeinOptions) {
    checkClientOptions(options)
    const { baseURL, fetch = globalThis.fetch, ...caller } = options
    const root = baseURL.replace(/\/+$/, '')
    this.#url = `${root}/public/graphql`
    this.#requests = new Pace(fetch)
    this.#uploads = new Pace(fetch)
    this.#options = caller
    const tokenRequests = new Pace(fetch)
    this.#tokens = new Tokens(
      caller.accessToken !== undefined
        ? async () => ({ value: caller.accessToken, renewAt: Number.POSITIVE_INFINITY })
        : () => requestToken(tokenRequests, root, caller),
    )
  }

  /** Runs a document and gives its data. Errors are thrown, also where there are data beside them. */
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
    check({ document, variables: variables ?? {} }, { document: is.document, variables: is.object })
    checkOptions('request', options)
    return this.#run(document, variables, options)
  }

  async me(options?: CallOptions) {
    return (await this.request(api.MeDocument, {}, options)).me
  }

  users(options?: UsersOptions) {
    const { after, email, ...rest } = checkOptions('users', options)
    return nodesOf(after, async (page) => {
      return (await this.request(api.UsersDocument, { ...page, email }, rest)).users
    })
  }

  groups(options?: ListOptions) {
    const { after, ...rest } = checkOptions('groups', options)
    return nodesOf(after, async (page) => (await this.request(api.GroupsDocument, page, rest)).groups)
  }

  async thread(id: string, options?: CallOptions) {
    check({ id }, { id: is.text })
    return given((await this.request(api.ThreadDocument, { id }, options)).thread)
  }

  threads(options?: ThreadsOptions) {
    const { after, order, filter, ...rest } = checkOptions('threads', options)
    return nodesOf(after, async (page) => {
      return (await this.request(api.ThreadsDocument, { ...page, order, filter }, rest)).threads
    })
  }

  /**
   * Reads messages of a thread, oldest first; each one once, also while others write: all of them, the `last` ones, a page
   * `around` one, the `unread` ones, or those `after` a cursor.
   */
  messages(threadID: string, options: MessagesOptions = {}) {
    check({ threadID }, { threadID: is.text })
    checkMessagesOptions(options)
    const request: Request = (document, variables, options) => this.#run(document, variables, options)
    return readMessages(request, threadID, options)
  }

  /** Returns the DM with another user of the workspace, which is created on first need. */
  async dm(userID: string, options?: CallOptions) {
    check({ userID }, { userID: is.text })
    const thread = (await this.request(api.DirectChatDocument, { userID }, options)).user?.chat
    if (!thread) throw new SkeinError('INVALID_INPUT', 'A caller has no DM with itself.')
    return thread
  }

  /** The messages that have the words of a query, each with an `excerpt`. */
  search(query: string, options?: SearchOptions) {
    check({ query }, { query: is.string })
    const { after, order, filter, ...rest } = checkOptions('search', options)
    return nodesOf(after, async (page) => {
      const variables = { ...page, query, order, filter }
      return (await this.request(api.SearchMessagesDocument, variables, rest)).searchMessages
    })
  }

  /**
   * Sends a message. It gets a random `uniqueBy`, and `threadBy` where it opens a thread, unless they are given: so when
   * an answer was lost it is sent again, and no message is there twice. Only to several recipients without a subject or
   * `threadBy` it is not sent again, since that would make another thread.
   */
  async sendMessage(input: api.SendMessageInput, options?: CallOptions) {
    const keyed = withKeys(input)
    const { isRepeatable } = keyed
    const data = await this.request(
      api.SendMessageDocument,
      { input: keyed.input },
      { ...options, isRepeatable },
    )
    const sent = given(data.sendMessage)
    // With keys of ours this call created both, also if a second attempt found them there.
    const isOurThread = input.thread?.threadBy == null && keyed.input.thread?.threadBy != null
    const created = sent.created || input.message.uniqueBy == null
    return { ...sent, created, threadCreated: sent.threadCreated || isOurThread }
  }

  async editMessage(input: api.EditMessageInput, options?: CallOptions) {
    return given((await this.#repeatable(api.EditMessageDocument, input, options)).editMessage).message
  }

  async deleteMessage(input: api.DeleteMessageInput, options?: CallOptions) {
    return given((await this.#repeatable(api.DeleteMessageDocument, input, options)).deleteMessage).message
  }

  async addReaction(input: api.AddReactionInput, options?: CallOptions) {
    return given((await this.#repeatable(api.AddReactionDocument, input, options)).addReaction).message
  }

  async removeReaction(input: api.RemoveReactionInput, options?: CallOptions) {
    return given((await this.#repeatable(api.RemoveReactionDocument, input, options)).removeReaction).message
  }

  /**
   * Uploads a file; its ID goes into the `attachments` of a message. Throws also what reading the file throws. When an
   * answer was lost it begins anew, and the service finds the bytes that have come in.
   */
  async upload(file: Upload, options?: CallOptions): Promise<{ id: string }> {
    checkOptions('call', options)
    const own = { ...uploadOptions, ...this.#options, ...options }
    const { contentMD5, size, request } = await readUpload(file, own.signal)
    const contentType = 'application/octet-stream' // The service looks for itself.
    const input = { name: file.name, contentLength: String(size), contentMD5, contentType }
    const once = { ...options, retries: 0 }
    const attempt = async (signal: AbortSignal) => {
      const ticket = given((await this.request(api.UploadTicketDocument, { input }, once)).uploadTicket)
      if (ticket.__typename === 'File') return { id: ticket.id }
      const headers = Object.fromEntries(ticket.headers.map(({ name, value }) => [name, value]))
      resultIn(await exchange(this.#uploads.fetch, ticket.url, { ...request(headers), signal }))
      const made = await this.request(api.CreateFileDocument, { input: { uploadTicketID: ticket.id } }, once)
      return { id: given(made.createFile).file.id }
    }
    return repeat(attempt, { ...own, isRepeatable: true, pace: this.#uploads })
  }

  async markRead(input: api.MarkReadInput, options?: CallOptions) {
    return given((await this.#repeatable(api.MarkReadDocument, input, options)).markRead).thread
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
    document: TypedDocument<Result, { input: Input }>,
    input: Input,
    options: CallOptions | undefined,
  ): Promise<Result> {
    check({ input }, { input: is.object })
    return this.request(document, { input }, { ...options, isRepeatable: true })
  }

  /** With another token, once, where the first was refused: nothing has run then, so that is safe for every document. */
  async #send<Result>(body: string, options: RequestOptions & { isRepeatable: boolean }): Promise<Result> {
    options.signal?.throwIfAborted()
    for (let isRenewed = false; ; isRenewed = true) {
      const token = await this.#tokens.get(options.signal)
      try {
        return await repeat((signal) => this.#post(token.value, body, signal), {
          ...options,
          pace: this.#requests,
        })
      } catch (error) {
        if (isRenewed || !(error instanceof SkeinError) || error.status !== 401) throw error
        this.#tokens.forget(token)
      }
    }
  }

  async #post<Result>(token: string, body: string, signal: AbortSignal): Promise<Result> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
    }
    return dataOf(await exchange(this.#requests.fetch, this.#url, { method: 'POST', headers, body, signal }))
  }
}
