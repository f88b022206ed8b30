import { Duplex } from 'node:stream'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'

/** A connection to the database in a worker thread. `pg` uses it instead of a socket. */
export class WorkerStream extends Duplex {
  readonly #port: MessagePort

  constructor(worker: Worker) {
    super()
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    worker.postMessage(port2, [port2])
    port1.on('message', (bytes: Uint8Array) => this.push(bytes))
    port1.on('close', () => this.destroy())
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'))
    return this
  }

  override _read(): void {}

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    const bytes = new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk)))
    this.#port.postMessage(bytes, [bytes.buffer])
    done()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.destroy()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#port.close()
    done(error)
  }

  ref(): void {
    this.#port.ref()
  }

  unref(): void {
    this.#port.unref()
  }

  setNoDelay(): void {}

  setKeepAlive(): void {}
}
