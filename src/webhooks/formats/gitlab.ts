import { invalidField } from '../../errors.ts'
import type { Format, Reading, Settings } from './format.ts'
import { issue, mergeRequest } from './gitlab/cards.ts'
import { deployment, push, release } from './gitlab/deliveries.ts'
import { note } from './gitlab/notes.ts'
import { job, pipeline } from './gitlab/pipelines.ts'
import { withShortTexts } from './hub/short-texts.ts'
import { type Fields, fieldsOf, isObject, textOf } from './json-values.ts'
import { shorten } from './shorten.ts'

const kinds = new Map<string, (body: Fields, settings: Settings) => Reading>([
  ['merge_request', mergeRequest],
  ['issue', issue],
  ['work_item', issue],
  ['note', note],
  ['pipeline', pipeline],
  ['build', job],
  ['push', push],
  ['tag_push', push],
  ['release', release],
  ['deployment', deployment],
])

/**
 * The format of the webhooks of projects and groups of GitLab. It skips each JSON object that it does not know, because
 * GitLab disables a webhook after four failures.
 */
export const gitlab: Format = {
  name: 'gitlab',
  recognizes: (body) => {
    const { object_kind, project } = fieldsOf(body)
    return typeof object_kind === 'string' && isObject(project)
  },
  read: ({ body, settings }) => {
    if (!isObject(body)) throw invalidField('body', 'must be a JSON object, as GitLab sends it')
    const kind = textOf(body.object_kind) || textOf(body.event_name)
    const read = kinds.get(textOf(body.object_kind))
    if (read) return withShortTexts(read(body, settings), settings)
    const name = shorten(kind, 50)
    return { skip: name ? `The event "${name}" becomes no message.` : 'An event that becomes no message.' }
  },
}
