import { hashSecret, newSecret } from './secrets.ts'

/** More codes than anybody creates by hand; beyond that the oldest ends first. */
const maxCodes = 100

/** Random codes that stand for a value once and for a limited time. They are in the memory of this process alone. */
export class OneTimeCodes<Value> {
  readonly #ttlMs: number
  readonly #values = new Map<string, { value: Value; expiresAt: number }>()

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs
  }

  /** Creates a code: 256 random bits, URL-safe. */
  create(value: Value): string {
    const code = newSecret()
    const [oldest] = this.#values.keys()
    if (oldest !== undefined && this.#values.size >= maxCodes) this.#values.delete(oldest)
    this.#values.set(keyOf(code), { value, expiresAt: performance.now() + this.#ttlMs })
    return code
  }

  /** The value of a code that has neither been used nor expired; the code is then used. */
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
