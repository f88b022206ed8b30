import { hashSecret, newSecret } from './secrets.ts'

// More codes than the operator creates by hand. If there are more, a new code replaces the oldest one.
const maxCodes = 100

/** Random codes. Each can be exchanged for a value once, within a limited time, and only in this process. */
export class OneTimeCodes<Value> {
  readonly #ttlMs: number
  readonly #values = new Map<string, { value: Value; expiresAt: number }>()

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs
  }

  create(value: Value): string {
    const code = newSecret()
    const [oldest] = this.#values.keys()
    if (oldest !== undefined && this.#values.size >= maxCodes) this.#values.delete(oldest)
    this.#values.set(keyOf(code), { value, expiresAt: performance.now() + this.#ttlMs })
    return code
  }

  redeem(code: string): Value | undefined {
    const key = keyOf(code)
    const found = this.#values.get(key)
    this.#values.delete(key)
    return found && performance.now() < found.expiresAt ? found.value : undefined
  }
}

function keyOf(code: string): string {
  return hashSecret(code).toString('base64url')
}
