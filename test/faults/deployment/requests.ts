import type { Outcome } from '../history.ts'

/** `value` is the payload if the outcome is `acknowledged`. */
export type Answer<Value> = { outcome: Outcome; value?: Value }

/** The error codes of an unavailable service or database. The change may have been made despite the error. */
const temporaryCodes = ['UNAVAILABLE', 'TIMEOUT']
const timeoutMs = 20_000

type ErrorBody = { code?: string; errors?: { message: string; extensions?: { code?: string } }[] }

/** Sends requests, and records the answers that no fault explains. */
export class Client {
  readonly surprises: string[] = []

  /** Posts to a webhook. */
  async post<Value>(url: string, body: object): Promise<Answer<Value>> {
    return this.#answerTo<Value>(url, {}, body, (payload) => payload as Value)
  }

  /** Runs an operation with one field at a GraphQL URL, and returns the value of the field. */
  async ask<Value>(
    url: string,
    token: string,
    query: string,
    variables: object = {},
  ): Promise<Answer<Value>> {
    return this.#graphql(url, token, { query, variables }, (data) => Object.values(data)[0] as Value)
  }

  /** Runs a query at a GraphQL URL, and returns the values of its fields. */
  async read<Data>(url: string, token: string, query: string): Promise<Answer<Data>> {
    return this.#graphql(url, token, { query }, (data) => data as Data)
  }

  #graphql<Value>(url: string, token: string, body: object, readValue: (data: object) => Value | undefined) {
    const headers = { authorization: `Bearer ${token}` }
    return this.#answerTo<Value>(url, headers, body, (payload) =>
      readValue((payload as { data?: object | null }).data ?? {}),
    )
  }

  /** Returns whether a fault explains the error. Otherwise adds the error to the surprises. */
  isTemporary(code: string | undefined, detail: string): boolean {
    const isTemporary = temporaryCodes.includes(code?.toUpperCase() ?? '')
    if (!isTemporary) this.surprises.push(`${code}: ${detail}`)
    return isTemporary
  }

  async #answerTo<Value>(
    url: string,
    headers: Record<string, string>,
    body: object,
    readValue: (payload: object) => Value | undefined,
  ): Promise<Answer<Value>> {
    const sent = await exchange(url, headers, body)
    if (typeof sent === 'string') return { outcome: sent }
    const { code, errors: [error] = [] } = sent as ErrorBody
    const failure = code ?? error?.extensions?.code ?? error?.message
    if (failure !== undefined)
      return { outcome: this.isTemporary(failure, JSON.stringify([body, sent])) ? 'unknown' : 'refused' }
    const value = readValue(sent)
    return value === undefined ? { outcome: 'unknown' } : { outcome: 'acknowledged', value }
  }
}

/** Returns the body of the response. A connection that was refused has sent nothing. */
async function exchange(
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<object | 'refused' | 'unknown'> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return (await response.json()) as object
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    return code === 'ECONNREFUSED' ? 'refused' : 'unknown'
  }
}
