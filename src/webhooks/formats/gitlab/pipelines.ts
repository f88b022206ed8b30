import { cleanText } from '../alerts/alert-text.ts'
import type { Operation, Reading, Settings } from '../format.ts'
import { linkOr, nameOf } from '../hub/names.ts'
import { outcomeOf, stateFields } from '../hub/outcome.ts'
import { placeIn } from '../hub/topic.ts'
import { latestOf, versionOf } from '../hub/version.ts'
import { type Fields, fieldsOf, isObject, listOf } from '../json-values.ts'
import { bold, escapeInline, inlineCode, joinLines } from '../markdown.ts'
import { senderNameOf } from '../sender-name.ts'
import { projectOf, topicKey, usernameOf } from './values.ts'

const maxListedJobs = 10

/**
 * Reads a pipeline. That of a merge request is written into its thread, if it exists. The latest time of the body orders
 * the calls, because a pipeline has no time of its last change, and runs again if a job is retried.
 */
export function pipeline(body: Fields, settings: Settings): Reading {
  const item = fieldsOf(body.object_attributes)
  const id = cleanText(item.id)
  if (!id) return { skip: 'The body has no ID of a pipeline.' }
  const jobs = listOf(body.builds).map(fieldsOf)
  const word = cleanText(item.status)
  const times = [item, ...jobs].flatMap((one) => [one.created_at, one.started_at, one.finished_at])
  const operation = {
    ...senderNameOf(usernameOf(body.user)),
    text: joinLines([headOf(body, item), failedJobs(jobs)]),
    ...versionOf(latestOf(times), outcomeOf(word).rank),
    ...stateFields(word, settings),
    ...pipelinePlace(body, `pipeline-${id}`, settings),
  }
  return { operations: [operation] }
}

type Place = ReturnType<typeof placeIn> & Pick<Operation, 'onlyInThread'>

function pipelinePlace(body: Fields, key: string, settings: Settings): Place {
  const { iid, target_project_id } = fieldsOf(body.merge_request)
  const project = cleanText(target_project_id) || projectOf(body).id
  if (!isObject(body.merge_request) || !cleanText(iid) || !project) return { uniqueBy: key }
  const topic = topicKey(project, '!', cleanText(iid))
  return {
    ...placeIn({ key: topic, subject: nameOf(topic), isClosed: false }, key, settings),
    onlyInThread: true,
  }
}

function headOf(body: Fields, item: Fields): string {
  const { name, url } = projectOf(body)
  const id = cleanText(item.id)
  const link = cleanText(item.url) || `${cleanText(url)}/-/pipelines/${id}`
  const title = [`Pipeline #${id}`, nameOf(item.name)].filter((part) => part !== '').join(' ')
  const { word } = outcomeOf(cleanText(item.status))
  return `${bold(linkOr(title, link))} of ${inlineCode(nameOf(item.ref) || '?')} in ${linkOr(name, url)}: ${escapeInline(word)}`
}

function failedJobs(jobs: readonly Fields[]): string {
  const failed = jobs.filter(({ status, allow_failure }) => status === 'failed' && allow_failure !== true)
  const names = failed.slice(0, maxListedJobs).map((job) => escapeInline(nameOf(job.name)))
  const hidden = failed.length - names.length
  return names.length > 0 ? `Failed: ${names.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}` : ''
}

/** Reads a job. Only a failure becomes a message, because the pipeline shows the rest. A job that is retried is a new one. */
export function job(body: Fields): Reading {
  const id = cleanText(body.build_id)
  if (!id || body.build_status !== 'failed')
    return { skip: 'A job that has not failed. Its pipeline shows it.' }
  if (body.build_allow_failure === true) return { skip: 'A job that may fail.' }
  const { name, url } = projectOf(body)
  const title = linkOr(`Job ${nameOf(body.build_name)}`, `${cleanText(url)}/-/jobs/${id}`)
  const reason = nameOf(body.build_failure_reason).replaceAll('_', ' ')
  const operation: Operation = {
    ...senderNameOf(usernameOf(body.user)),
    uniqueBy: `job-${id}`,
    text: `${bold(title)} of ${inlineCode(nameOf(body.ref) || '?')} in ${linkOr(name, url)}: failed${reason && ` (${escapeInline(reason)})`}`,
    state: 'failed',
  }
  return { operations: [operation] }
}
