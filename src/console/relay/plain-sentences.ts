/** What the extensions of an error say about it (docs/errors.md). */
export type ErrorDetails = {
  code?: string
  limit?: { name: string; max: number }
  retryAfterSeconds?: number
}

const takesLong = 'The service took too long to answer.'

/** What people read instead of a message that is written for programs, by the code of the error (docs/errors.md). */
const sentences = {
  INTERNAL: 'Something went wrong in the service. Try again, and tell its operator if it happens again.',
  INSUFFICIENT_SCOPE: 'You are not allowed to do this. Ask an admin of the workspace.',
  LIMIT_EXCEEDED: 'This is more than the service can do at once. Choose less, and try again.',
  OUT_OF_SPACE: 'The service has no space left, and has stored nothing. Tell its operator.',
  TIMEOUT: `${takesLong} Try again in a minute.`,
  TOO_LARGE: 'This is too much to send at once. Send less.',
  UNAVAILABLE: 'The service is busy or being repaired. Try again in a minute.',
} as const
type Code = keyof typeof sentences | 'RATE_LIMITED'

/** These messages are for people: they also say what has happened, or who can help. */
const isForPeople = /^The (mail server|call) /

/** Returns one sentence for people that says what has happened and what to do. */
export function plainSentence(details: ErrorDetails, message: string, isChange = true): string {
  const { code } = details
  if (code === 'RATE_LIMITED') return tooMuch(details)
  if (isForPeople.test(message) || code === undefined || !(code in sentences)) return message
  if (code === 'TIMEOUT' && isChange)
    return `${takesLong} See whether your change was made before you try again.`
  return sentences[code as keyof typeof sentences]
}

function tooMuch({ limit, retryAfterSeconds }: ErrorDetails): string {
  const what =
    limit?.name === 'mailed-links'
      ? `${limit.max} sign-in links were mailed to this person in a short time.`
      : 'That was a lot in a short time.'
  return `${what} Try again in ${retryAfterSeconds === undefined ? 'a minute' : waitText(retryAfterSeconds)}.`
}

function waitText(seconds: number): string {
  const [count, unit] = seconds < 60 ? [Math.max(1, seconds), 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const codesOfStatus: Partial<Record<number, Code>> = {
  413: 'TOO_LARGE',
  429: 'RATE_LIMITED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'TIMEOUT',
}

/** Returns the code for an answer that is not from the service, but for example from a proxy. */
export function codeOfStatus(status: number): Code | undefined {
  return codesOfStatus[status]
}

const passing: readonly string[] = ['RATE_LIMITED', 'TIMEOUT', 'UNAVAILABLE']

/** Whether the same request can succeed a little later. */
export function willPass(code: string | undefined): boolean {
  return passing.includes(code ?? '')
}
