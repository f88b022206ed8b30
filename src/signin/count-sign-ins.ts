import { counters } from '../platform/metrics.ts'

const signIns = counters('skein_sign_in_total', 'The attempts of people to sign in.', ['method', 'outcome'])

const methods = ['password', 'link', 'oidc'] as const
const counts = new Map(
  methods.map((method) => [
    method,
    { ok: signIns({ method, outcome: 'ok' }), refused: signIns({ method, outcome: 'refused' }) },
  ]),
)

/** Runs an attempt to sign in, and counts it. It is refused if it throws or resolves to undefined. */
export async function countSignIn<T>(
  method: (typeof methods)[number],
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    const result = await attempt()
    counts.get(method)?.[result === undefined ? 'refused' : 'ok'].add()
    return result
  } catch (error) {
    counts.get(method)?.refused.add()
    throw error
  }
}
