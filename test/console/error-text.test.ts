import { expect, test } from 'vitest'
import { FailedOperation, serviceErrorText } from '../../src/console/relay/error-text.ts'

const errorOf = (code: string, message: string, details: object = {}) => ({
  message,
  extensions: { code, ...details },
})
const failureOf = (errors: object[], isChange = false, status = 503) =>
  new FailedOperation(new Response(null, { status }), errors, isChange)

test.each([
  [
    'a time-out',
    errorOf(
      'TIMEOUT',
      'The request exceeded the time limit of 30 s and was stopped. Send a smaller request.',
    ),
    'The service took too long to answer. Try again in a minute.',
  ],
  [
    'an overload',
    errorOf('RATE_LIMITED', 'Too many concurrent operations: 8 are running, and 256 are waiting.', {
      limit: { name: 'operationsAtOnce', max: 8 },
      retryAfterSeconds: 1,
    }),
    'That was a lot in a short time. Try again in 1 second.',
  ],
  [
    'a spent quota',
    errorOf('RATE_LIMITED', 'Rate limit exceeded: at most 3000 points per minute. Try again in 42 s.', {
      limit: { name: 'user-points', max: 3000 },
      retryAfterSeconds: 42,
    }),
    'That was a lot in a short time. Try again in 42 seconds.',
  ],
  [
    'too many mailed links',
    errorOf('RATE_LIMITED', 'At most 3 sign-in links can be mailed to a person in 15 minutes.', {
      limit: { name: 'mailed-links', max: 3 },
      retryAfterSeconds: 11 * 60 + 1,
    }),
    '3 sign-in links were mailed to this person in a short time. Try again in 12 minutes.',
  ],
  [
    'a lost database',
    errorOf('UNAVAILABLE', 'The database is unavailable. Try again later.'),
    'The service is busy or being repaired. Try again in a minute.',
  ],
  [
    'a missing scope',
    errorOf('INSUFFICIENT_SCOPE', 'The token does not have the required scope groups:write.'),
    'You are not allowed to do this. Ask an admin of the workspace.',
  ],
  [
    'a missing permission',
    errorOf('FORBIDDEN', 'You can only edit your own messages.'),
    'You can only edit your own messages.',
  ],
  [
    'a mail server that says no',
    errorOf('UNAVAILABLE', 'The mail server cannot be reached, or is busy. Try again.'),
    'The mail server cannot be reached, or is busy. Try again.',
  ],
])('a person reads one sentence about %s', (_kind, error, text) => {
  expect(failureOf([error]).message).toBe(text)
})

test('after a change that took too long, a person reads that it may have been made', () => {
  const late = errorOf('TIMEOUT', 'The request exceeded the time limit of 30 s and was stopped.')
  const text = 'The service took too long to answer. See whether your change was made before you try again.'
  expect([failureOf([late], true).message, serviceErrorText([late])]).toEqual([text, text])
})

test('an answer that is not from the service is explained by its status', () => {
  expect([413, 429, 502, 503, 504, 403].map((status) => failureOf([], false, status).message)).toEqual([
    'This is too much to send at once. Send less.',
    'That was a lot in a short time. Try again in a minute.',
    'The service is busy or being repaired. Try again in a minute.',
    'The service is busy or being repaired. Try again in a minute.',
    'The service took too long to answer. Try again in a minute.',
    'The answer is not from the service, and has status 403. Tell the operator of the service.',
  ])
})

test('only time-outs, overload and outages are worth another attempt', () => {
  const isPassing = (...codes: string[]) => failureOf(codes.map((code) => errorOf(code, 'No.'))).isPassing
  expect([isPassing('TIMEOUT'), isPassing('UNAVAILABLE', 'RATE_LIMITED'), failureOf([]).isPassing]).toEqual([
    true,
    true,
    true,
  ])
  expect([isPassing('INTERNAL'), isPassing('TIMEOUT', 'NOT_FOUND')]).toEqual([false, false])
  const statuses = [200, 400, 403, 404, 413, 429, 500, 502, 503, 504]
  expect(statuses.filter((status) => failureOf([], false, status).isPassing)).toEqual([429, 502, 503, 504])
})
