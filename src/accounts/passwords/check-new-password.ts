import { invalidField } from '../../errors.ts'

const minLength = 12
const maxLength = 256
/** A score of 2 means that finding the password takes at least 10⁶ guesses. */
const minScore = 2
/** Only this many characters are scored, because the time to score a password grows with its length. */
const maxEstimated = 64

/** Throws if a password is too short, too long, or easy to guess (NIST SP 800-63B 3.1.1.2). */
export async function checkNewPassword(password: string, email: string): Promise<void> {
  const { length } = [...password]
  if (length < minLength) throw invalidField('password', `must have at least ${minLength} characters`)
  if (length > maxLength) throw invalidField('password', `must have at most ${maxLength} characters`)
  const estimator = await loadEstimator()
  const { score } = estimator.check(password.slice(0, maxEstimated), [email, ...email.split(/[@.]/), 'skein'])
  if (score < minScore)
    throw invalidField('password', 'is easy to guess; use several words that do not belong together')
}

let estimator: ReturnType<typeof createEstimator> | undefined

function loadEstimator() {
  estimator ??= createEstimator()
  return estimator
}

async function createEstimator() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}
