import { invalidField } from '../../errors.ts'
import { isBlank } from '../../text/blank.ts'
import { stateOfColors } from './color-state.ts'
import { answerCall, refusal } from './discord/answers.ts'
import { componentMarkdown } from './discord/components.ts'
import { colorOf, embedMarkdown } from './discord/embeds.ts'
import { discordMarkdown } from './discord/markdown.ts'
import type { Format, Operation, Settings } from './format.ts'
import { type Fields, fieldsOf, isObject, listOf, textOf, withoutNUL } from './json-values.ts'
import { escapeInline, italic, joinBlocks, oneLine } from './markdown.ts'
import { isBlankMessage, writeUpTo } from './message-parts.ts'
import { senderNameOf } from './sender-name.ts'
import { shorten, shortenMarkdown } from './shorten.ts'

const ownFields = ['payload_json', 'allowed_mentions', 'avatar_url', 'thread_name', 'sticker_ids']
const maxFiles = 20
const maxNameCharacters = 100

/** The format of Discord's webhooks: JSON, or a form with JSON in its field `payload_json`. */
export const discord: Format = {
  name: 'discord',
  // The paths of Discord's API, to which its libraries add what the caller has set.
  morePaths: [
    '/webhooks/:target/:token',
    '/:version/webhooks/:target/:token',
    '/api/:version/webhooks/:target/:token',
  ],
  recognizes: (body) => {
    const fields = fieldsOf(body)
    return listOf(fields.embeds).some(isObject) || ownFields.some((name) => Object.hasOwn(fields, name))
  },
  read: ({ body, settings }) => ({ operations: [operationOf(payloadOf(body), settings)] }),
  answerCall: (call) => answerCall({ ...call, body: payloadOf(call.body) }),
  refuse: refusal,
}

/** `files` has the names of the files in a form. */
function payloadOf(body: unknown): Fields {
  const { payload_json = body, files } = fieldsOf(body)
  const payload = typeof payload_json === 'string' ? parsed(payload_json) : payload_json
  if (!isObject(payload)) throw invalidField('payload_json', 'must be a JSON object')
  return { ...payload, files }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidField('payload_json', 'must be JSON')
  }
}

function operationOf(payload: Fields, { groupID, limits }: Settings): Operation {
  const written = withoutNUL(messageMarkdown(payload, 2 * limits.textCharacters))
  const isBlankText = isBlankMessage(written)
  if (isBlankText) requireSomething(payload)
  const state = stateOfColors(listOf(payload.embeds).map(colorOf))
  const subject = oneLine(textOf(payload.thread_name))
  return {
    text: isBlankText ? '_A Discord message without text._' : shortenMarkdown(written, limits.textCharacters),
    ...senderNameOf(payload.username),
    ...(state && { state }),
    ...(groupID && !isBlank(subject) && { threadSubject: shorten(subject, limits.subjectCharacters) }),
  }
}

function messageMarkdown({ content, embeds, components, files }: Fields, max: number): string {
  return joinBlocks([
    discordMarkdown(textOf(content)),
    writeUpTo(max, listOf(embeds), embedMarkdown),
    writeUpTo(max, listOf(components), componentMarkdown),
    filesText(listOf(files).slice(0, maxFiles).map(textOf)),
  ])
}

function filesText(names: readonly string[]): string {
  const shown = names
    .filter((name) => !isBlank(name))
    .map((name) => escapeInline(oneLine(shorten(name, maxNameCharacters))))
  return shown.length > 0 ? italic(`Not carried over: ${shown.join(', ')}`) : ''
}

function requireSomething({ embeds, components, sticker_ids, poll, files }: Fields): void {
  const hasPart = [embeds, components, sticker_ids, files].some((list) => listOf(list).length > 0)
  if (!hasPart && !isObject(poll))
    throw invalidField('content', 'is required, unless there are embeds, components or files')
}
