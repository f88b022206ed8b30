import { invalidField } from '../../errors.ts'
import type { Format, Reading, Settings } from './format.ts'
import { issue, pullRequest } from './github/cards.ts'
import { checkSuite } from './github/checks.ts'
import { commitComment, issueComment, reviewComment } from './github/comments.ts'
import { deployment, release, workflowRun } from './github/deliveries.ts'
import { push } from './github/push.ts'
import { review } from './github/reviews.ts'
import { withShortTexts } from './hub/short-texts.ts'
import { type Fields, fieldsOf, isObject, textOf } from './json-values.ts'
import { shorten } from './shorten.ts'

/** An event: the fields by which its body is recognized, and what it becomes. */
type Event = [fields: readonly string[], read: (body: Fields, settings: Settings) => Reading]

const skip = (why: string) => () => ({ skip: why })

// The first event counts whose fields the body has. The header X-GitHub-Event is not used, because a call that is sent
// again has no headers.
const events: readonly Event[] = [
  [['zen', 'hook_id'], skip('GitHub asks whether the URL works.')],
  [['deployment_status', 'deployment'], deployment],
  [['deployment', 'environment'], skip('A review of a deployment becomes no message.')],
  [['deployment', 'action'], deployment],
  [['check_run'], skip('The check suite says what became of a check run.')],
  [['check_suite'], checkSuite],
  [['workflow_job'], skip('The workflow run says what became of a job.')],
  [['workflow_run', 'workflow'], workflowRun],
  [['review', 'pull_request'], review],
  [['thread', 'pull_request'], skip('That a thread of a review is resolved becomes no message.')],
  [['comment', 'pull_request'], reviewComment],
  [['pull_request', 'number'], pullRequest],
  [['comment', 'issue'], issueComment],
  [['issue', 'action'], issue],
  [['comment', 'discussion'], skip('Discussions become no messages.')],
  [['discussion'], skip('Discussions become no messages.')],
  [['comment', 'repository'], commitComment],
  [['release', 'action'], release],
  [['ref', 'before', 'after', 'commits'], push],
  [['ref_type'], skip('The push says that a branch or a tag was created or deleted.')],
]

/** The format of the webhooks of repositories and organizations of GitHub, as JSON or as a form. */
export const github: Format = {
  name: 'github',
  recognizes: (body) => {
    const { sender, repository, zen, hook_id } = fieldsOf(body)
    const isEvent = isObject(sender) && 'login' in sender && isObject(repository) && 'full_name' in repository
    return isEvent || (typeof zen === 'string' && hook_id !== undefined)
  },
  read: ({ body, settings }) => {
    const payload = payloadOf(body)
    const [, read] = events.find(([names]) => names.every((name) => payload[name] != null)) ?? []
    return read ? withShortTexts(read(payload, settings), settings) : { skip: unknownEvent(payload) }
  },
}

/** Returns the JSON of the body. The form has it in the field `payload`. */
function payloadOf(body: unknown): Fields {
  const { payload, sender } = fieldsOf(body)
  const value = typeof payload === 'string' && sender === undefined ? parsed(payload) : body
  if (!isObject(value)) throw invalidField('body', 'must be a JSON object, as GitHub sends it')
  return value
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    throw invalidField('payload', 'must be JSON')
  }
}

function unknownEvent({ action }: Fields): string {
  const name = shorten(textOf(action), 50)
  return name
    ? `An event with the action "${name}" that becomes no message.`
    : 'An event that becomes no message.'
}
