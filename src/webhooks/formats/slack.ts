import { type AppError, type ErrorCode, invalidField } from '../../errors.ts'
import { isBlankMarkdown } from '../../text/markdown/plain-text.ts'
import { mentionedIDs } from '../../text/markdown/render-markdown.ts'
import type { Format, Operation, Settings } from './format.ts'
import { type Fields, fieldsOf, isObject, listOf, textOf, withoutNUL } from './json-values.ts'
import { joinBlocks } from './markdown.ts'
import { senderNameOf } from './sender-name.ts'
import { shortenMarkdown } from './shorten.ts'
import { attachmentMarkdown } from './slack/attachments.ts'
import { blockMarkdown } from './slack/blocks.ts'
import { stateOfColors } from './slack/color-state.ts'
import { mrkdwnMarkdown, unstyledMarkdown } from './slack/mrkdwn.ts'
import { asText, type Mention } from './slack/references.ts'

const contents = ['text', 'blocks', 'attachments']
const ownFields = ['icon_emoji', 'icon_url', 'link_names', 'mrkdwn', 'unfurl_links', 'unfurl_media']

/** The format of Slack's incoming webhooks: JSON, or a form with JSON in its field `payload`. */
export const slack: Format = {
  name: 'slack',
  recognizes: (body) => {
    const { payload, blocks, attachments, ...fields } = fieldsOf(body)
    if (typeof payload === 'string' && payload.trimStart().startsWith('{')) return true
    const hasParts = [...listOf(blocks), ...listOf(attachments)].some(isObject)
    return hasParts || ownFields.some((name) => Object.hasOwn(fields, name))
  },
  read: ({ body, settings }) => ({ operations: [operationOf(payloadOf(body), settings)] }),
  answer: 'ok',
  refuse: errorWord,
}

const errorWords: Partial<Record<ErrorCode, string>> = {
  not_found: 'channel_not_found',
  forbidden: 'action_prohibited',
  rate_limited: 'rate_limited',
}

/** Returns the word with which Slack answers such an error. */
function errorWord({ code, errors }: AppError): string {
  const fields = errors.map(({ field }) => field)
  if (code === 'invalid_input' && fields.includes('target')) return 'channel_not_found'
  return fields.includes('text') ? 'no_text' : (errorWords[code] ?? 'invalid_payload')
}

function payloadOf(body: unknown): Fields {
  const { payload } = fieldsOf(body)
  const value = parsed(typeof payload === 'string' && !hasContent(body) ? payload : body)
  if (!isObject(value)) throw invalidField('payload', 'must be a JSON object')
  if (!hasContent(value)) throw invalidField('text', 'is required, unless there are blocks or attachments')
  return value
}

function hasContent(value: unknown): boolean {
  return contents.some((name) => Object.hasOwn(fieldsOf(value), name))
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    throw invalidField('payload', 'must be JSON')
  }
}

function operationOf(payload: Fields, { groupID, mentionScheme, limits }: Settings): Operation {
  const mention: Mention = groupID ? (name) => `[@${name}](${mentionScheme}:${groupID})` : asText
  const written = withoutNUL(messageMarkdown(payload, mention, 2 * limits.textCharacters))
  const text = shortenMarkdown(
    isBlankMessage(written) ? emptyMessage(payload) : written,
    limits.textCharacters,
  )
  const state = stateOfColors(listOf(payload.attachments))
  // A mention of somebody else would be an error of this conversion. Then nobody is mentioned.
  const allowMentions =
    groupID !== undefined &&
    text.includes(`:${groupID})`) &&
    mentionedIDs(text, [mentionScheme]).join() === groupID
  return {
    text,
    ...(state && { state }),
    ...senderNameOf(payload.username),
    ...(allowMentions && { allowMentions }),
  }
}

// With blocks, the text is only for notifications. Slack does not show it.
function messageMarkdown(payload: Fields, mention: Mention, max: number): string {
  const blocks = writeUpTo(max, listOf(payload.blocks), (block) => blockMarkdown(block, mention))
  const convert = payload.mrkdwn === false ? unstyledMarkdown : mrkdwnMarkdown
  const attachments = writeUpTo(max, listOf(payload.attachments), (attachment) =>
    attachmentMarkdown(attachment, mention),
  )
  return joinBlocks([blocks || convert(textOf(payload.text), mention), attachments])
}

function writeUpTo(max: number, parts: readonly unknown[], write: (part: unknown) => string): string {
  const written: string[] = []
  for (let length = 0, index = 0; index < parts.length && length <= max; index += 1) {
    const markdown = write(parts[index])
    written.push(markdown)
    length += markdown.length
  }
  return joinBlocks(written)
}

// If the first block shows something, the rest does not have to be read.
function isBlankMessage(markdown: string): boolean {
  const [first = ''] = markdown.split('\n\n', 1)
  return isBlankMarkdown(first) && isBlankMarkdown(markdown)
}

function emptyMessage({ blocks, attachments }: Fields): string {
  const counts = [
    countOf(listOf(blocks).length, 'block'),
    countOf(listOf(attachments).length, 'attachment'),
  ].filter((count) => count !== '')
  return `_${['A Slack message without text', ...counts].join(', ')}._`
}

function countOf(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`
}
