import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { CloseCode, type Message, MessageType, parseMessage, type SubscribePayload } from 'graphql-ws'
import type { ResultStream } from './subscription.ts'

const initTimeoutMs = 3000

export type ProtocolSocket = {
  send(message: object): Promise<void>
  close(code: number, reason: string): void
}

export type Operations = {
  /** Resolves to whether the client may send operations. If not, closes the socket. */
  connect(params: Record<string, unknown>): Promise<boolean>
  run(payload: SubscribePayload): Promise<ResultStream | FormattedExecutionResult>
  /** Returns what the client sees of an error. */
  errorsOf(error: unknown): GraphQLFormattedError[]
}

/** An operation of a client, until the client or the service completes it. */
type Operation = { id: string; results?: ResultStream }

/**
 * Speaks `graphql-transport-ws` with one client. The server of graphql-ws knows operations only by their IDs. There, an
 * operation that ends late also ends a new operation with the same ID.
 */
export class Protocol {
  readonly #socket: ProtocolSocket
  readonly #operations: Operations
  readonly #running = new Map<string, Operation>()
  readonly #initTimer: NodeJS.Timeout
  #isInitialized = false
  #isAcknowledged = false

  constructor(socket: ProtocolSocket, operations: Operations) {
    this.#socket = socket
    this.#operations = operations
    this.#initTimer = setTimeout(() => {
      socket.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout')
    }, initTimeoutMs)
  }

  /** Resolves when the work for the message is done. For a subscription, this is when it is open. */
  async receive(text: string): Promise<void> {
    const message = messageIn(text)
    if (!message) return this.#socket.close(CloseCode.BadRequest, 'Invalid message received')
    switch (message.type) {
      case MessageType.ConnectionInit:
        return this.#connect(message.payload ?? {})
      case MessageType.Ping:
        return this.#socket.send({
          type: MessageType.Pong,
          ...(message.payload && { payload: message.payload }),
        })
      case MessageType.Pong:
        return
      case MessageType.Subscribe:
        return this.#subscribe(message.id, message.payload)
      case MessageType.Complete:
        return this.#complete(message.id)
      default:
        throw new Error(`Only servers send messages of the type ${message.type}`)
    }
  }

  /** Ends all operations, because the socket is closed. */
  end(): void {
    clearTimeout(this.#initTimer)
    for (const id of this.#running.keys()) this.#complete(id)
  }

  async #connect(params: Record<string, unknown>): Promise<void> {
    if (this.#isInitialized)
      return this.#socket.close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests')
    this.#isInitialized = true
    clearTimeout(this.#initTimer)
    this.#isAcknowledged = await this.#operations.connect(params)
    if (this.#isAcknowledged) await this.#socket.send({ type: MessageType.ConnectionAck })
  }

  async #subscribe(id: string, payload: SubscribePayload): Promise<void> {
    if (!this.#isAcknowledged) return this.#socket.close(CloseCode.Unauthorized, 'Unauthorized')
    if (this.#running.has(id))
      return this.#socket.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`)
    const operation: Operation = { id }
    this.#running.set(id, operation)
    try {
      const results = await this.#operations.run(payload)
      if (!(Symbol.asyncIterator in results)) await this.#finish(operation, results)
      else if (!this.#isRunning(operation)) void results.return()
      else this.#follow(operation, results).catch(() => this.#closeAfterError())
    } catch (error) {
      await this.#fail(operation, error)
    }
  }

  async #follow(operation: Operation, results: ResultStream): Promise<void> {
    operation.results = results
    try {
      for await (const result of results) await this.#next(operation, result)
      await this.#finish(operation)
    } catch (error) {
      await this.#fail(operation, error)
    }
  }

  #isRunning(operation: Operation): boolean {
    return this.#running.get(operation.id) === operation
  }

  async #next(operation: Operation, payload: FormattedExecutionResult): Promise<void> {
    const { id } = operation
    if (this.#isRunning(operation)) await this.#socket.send({ id, type: MessageType.Next, payload })
  }

  async #finish(operation: Operation, result?: FormattedExecutionResult): Promise<void> {
    // The request is refused, for example because the name of the operation is missing. HTTP answers 400 then.
    if (result?.errors && result.data === undefined)
      return this.#last(operation, { type: MessageType.Error, payload: result.errors })
    if (result) await this.#next(operation, result)
    await this.#last(operation, { type: MessageType.Complete })
  }

  async #fail(operation: Operation, error: unknown): Promise<void> {
    const payload = this.#operations.errorsOf(error)
    await this.#last(operation, { type: MessageType.Error, payload })
  }

  async #last(operation: Operation, message: object): Promise<void> {
    const { id } = operation
    if (!this.#isRunning(operation)) return
    this.#running.delete(id)
    await this.#socket.send({ id, ...message })
  }

  #closeAfterError(): void {
    this.#socket.close(CloseCode.InternalServerError, 'Internal server error')
  }

  #complete(id: string): void {
    const operation = this.#running.get(id)
    this.#running.delete(id)
    void operation?.results?.return()
  }
}

function messageIn(text: string): Message | undefined {
  try {
    return parseMessage(text)
  } catch {
    return undefined
  }
}
