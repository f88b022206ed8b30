import { type Disposable, type OperationDescriptor, RecordSource, Store } from 'relay-runtime'
import type { UnreadCounts } from './unread/unread-counts.ts'

/**
 * The data of a workspace. Keeps the data of the last 20 queries that no component uses anymore. Tells `unread` which
 * records it has received.
 */
export class PageStore extends Store {
  readonly #unread: UnreadCounts
  /** The queries that a component uses. */
  readonly #used = new Set<{ operation: OperationDescriptor }>()
  readonly #listeners = new Set<() => void>()

  constructor(unread: UnreadCounts) {
    super(new RecordSource(), { gcReleaseBufferSize: 20 })
    this.#unread = unread
  }

  override publish(...received: Parameters<Store['publish']>): void {
    super.publish(...received)
    this.#unread.received(received[0], this.getSource())
  }

  override retain(operation: OperationDescriptor): Disposable {
    const retained = super.retain(operation)
    const use = { operation }
    this.#used.add(use)
    return {
      dispose: () => {
        retained.dispose()
        this.#used.delete(use)
        for (const listener of this.#listeners) listener()
      },
    }
  }

  /** Whether a component uses the query with this request identifier, and the store has all its data. */
  shows(identifier: string): boolean {
    const use = [...this.#used].find(({ operation }) => operation.request.identifier === identifier)
    return use !== undefined && this.check(use.operation).status === 'available'
  }

  /** Calls a function when a component stops using a query. */
  onRelease(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
