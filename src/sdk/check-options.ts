import type { CallOptions } from './http.ts'

const credentials = ['workspaceID', 'clientID', 'clientSecret', 'redirectURI'] as const

/** Checks what a client is constructed with. Throws a TypeError that says what is wrong with all of it. */
export function checkClientOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(
      'The options must be an object with baseURL and the credentials of an app, or an accessToken.',
    )
  }
  const given = options as Record<string, unknown>
  const problems = [problemOfURL(given.baseURL), ...problemsOfCredentials(given), ...problemsOfCall(given)]
  throwIfAny(problems)
}

/** Checks the options of a call. Throws a TypeError that says what is wrong with all of them. */
export function checkCallOptions(options: CallOptions & { fetch?: unknown }): void {
  throwIfAny(problemsOfCall(options))
}

function throwIfAny(problems: (string | undefined)[]): void {
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length > 0) throw new TypeError(found.join(' '))
}

function problemOfURL(url: unknown): string | undefined {
  if (url === undefined) return 'baseURL is required, such as https://skein.example.com.'
  const isURL = typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  return isURL ? undefined : 'baseURL must be an http or https URL, such as https://skein.example.com.'
}

function problemsOfCredentials(given: Record<string, unknown>): string[] {
  if (given.accessToken !== undefined) {
    return isText(given.accessToken) ? [] : ['accessToken must be a string.']
  }
  const missing = credentials.filter((name) => given[name] === undefined)
  if (missing.length === credentials.length) {
    return [`Give an accessToken, or the credentials of an app: ${credentials.join(', ')}.`]
  }
  const wrong = credentials.filter((name) => given[name] !== undefined && !isText(given[name]))
  return [
    ...missing.map((name) => `${name} is required with the other credentials.`),
    ...wrong.map((name) => `${name} must be a string.`),
  ]
}

function problemsOfCall(given: Record<string, unknown>): string[] {
  const { retries, fetch, signal } = given
  const problems: string[] = []
  if (retries !== undefined && !(Number.isInteger(retries) && Number(retries) >= 0)) {
    problems.push('retries must be a whole number, 0 or more.')
  }
  for (const name of ['attemptTimeoutMs', 'timeoutMs'] as const) {
    const value = given[name]
    if (value !== undefined && !(typeof value === 'number' && value > 0)) {
      problems.push(`${name} must be a number of milliseconds above 0.`)
    }
  }
  if (fetch !== undefined && typeof fetch !== 'function') problems.push('fetch must be a function.')
  if (signal !== undefined && !(signal instanceof AbortSignal))
    problems.push('signal must be an AbortSignal.')
  return problems
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
