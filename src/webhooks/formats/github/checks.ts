import { cleanText } from '../alerts/alert-text.ts'
import type { Operation, Reading, Settings } from '../format.ts'
import { linkOr, nameOf, shortHash } from '../hub/names.ts'
import { outcomeOf, stateFields } from '../hub/outcome.ts'
import { placeIn } from '../hub/topic.ts'
import { versionOf } from '../hub/version.ts'
import { type Fields, fieldsOf, listOf } from '../json-values.ts'
import { bold, escapeInline } from '../markdown.ts'
import { senderNameOf } from '../sender-name.ts'
import { repositoryOf, topicKey } from './values.ts'

const maxPullRequests = 5
/** GitHub Actions has a suite for each workflow of a commit. Other apps have one. */
const actions = 'github-actions'

/**
 * Reads the event `check_suite`. It names a pull request only by its number. Therefore it is written only into a thread
 * that exists.
 */
export function checkSuite(body: Fields, settings: Settings): Reading {
  const suite = fieldsOf(body.check_suite)
  const numbered = listOf(suite.pull_requests)
    .map(fieldsOf)
    .filter(({ number }) => cleanText(number) !== '')
  const sha = cleanText(suite.head_sha)
  const [first, ...others] = numbered
    .slice(0, maxPullRequests)
    .map((pull) => operationOf(body, suite, keyOfThread(body, pull), settings))
  if (!first || !sha) return { skip: 'A check suite without a pull request.' }
  return { operations: [first, ...others] }
}

// The pull requests of a fork can be in another repository.
function keyOfThread({ repository }: Fields, { number, base }: Fields): string {
  const id = fieldsOf(fieldsOf(base).repo).id ?? fieldsOf(repository).id
  return topicKey(id, cleanText(number))
}

function operationOf(body: Fields, suite: Fields, topicKey: string, settings: Settings): Operation {
  const [app, sha] = [fieldsOf(suite.app), cleanText(suite.head_sha)]
  const name = nameOf(app.name) || 'Checks'
  const slug = cleanText(app.slug) || cleanText(app.id)
  const key = `checks-${sha}-${slug}${slug === actions ? `-${cleanText(suite.id)}` : ''}`
  const isRequestedAgain = body.action === 'rerequested'
  const hasEnded = suite.status === 'completed' && !isRequestedAgain
  const word = hasEnded ? cleanText(suite.conclusion) : 'queued'
  const { rank, word: shown } = outcomeOf(word)
  const url = `${cleanText(repositoryOf(body).url)}/commit/${encodeURIComponent(sha)}/checks`
  return {
    ...placeIn({ key: topicKey, subject: nameOf(topicKey), isClosed: false }, key, settings),
    ...senderNameOf(name),
    text: `Checks of ${bold(escapeInline(name))} for ${linkOr(shortHash(sha), url)}: ${escapeInline(shown)}`,
    // A suite that is requested again can still have the time and the conclusion of its end.
    ...versionOf(suite.updated_at, isRequestedAgain ? rank + 100 : rank),
    ...stateFields(word, settings),
    onlyInThread: true,
  }
}
