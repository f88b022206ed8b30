import { Option } from 'commander'
import type { EventType, Skein, SkeinEvent } from '../../sdk/index.ts'
import { escapeControlCharacters } from '../../text/escape-control-characters.ts'
import { eventTypes, wholeNumber } from '../options.ts'
import { minuteOf, type Output } from '../print.ts'
import type { Subcommand } from '../subcommands.ts'
import { connect } from './connect.ts'
import { credentialsOption } from './send.ts'

type Options = { type?: EventType[]; after?: string; count: number }

export const events: Subcommand = {
  usage: 'events',
  description: 'Print the events that an app receives, until you press Ctrl-C.',
  options: [
    credentialsOption,
    eventTypes,
    new Option('--after <cursor>', 'begin after this cursor; by default, begin with the next event'),
    new Option('--count <count>', 'stop after this number of events')
      .default(Number.POSITIVE_INFINITY, 'never')
      .argParser(wholeNumber),
  ],
  example: '--type messageCreated',
  run: async (client, command, { env }) =>
    outputsOf(await connect(client, command, env), command.opts<Options>()),
}

async function* outputsOf(skein: Skein, { type, after, count }: Options): AsyncGenerator<Output> {
  let left = count
  for await (const event of skein.events({ ...(type && { types: type }), ...(after && { after }) })) {
    yield { json: event, text: lineOf(event) }
    left -= 1
    if (left === 0) return
  }
}

function lineOf(event: SkeinEvent): string {
  const { createdAt, type } = event
  return `${minuteOf(createdAt)}  ${type}  ${escapeControlCharacters(summaryOf(event))}`
}

type Named = { name: string } | null
type Objects = {
  objectID: string
  message?: { text: string | null; user: { name: string } } | null
  thread?: { subject: string | null } | null
  emoji?: string
  [noun: string]: unknown
} & { [noun in 'group' | 'user' | 'app' | 'webhook']?: Named }

/** Returns what an event is about: a message, a name or a subject, or an ID if the app cannot see more. */
function summaryOf({ objectID, message, thread, emoji, group, user, app, webhook }: Objects): string {
  const named = user ?? group ?? app ?? webhook
  if (emoji) return `${user?.name ?? objectID}: ${emoji}`
  if (message) return `${message.user.name}: ${message.text?.trimEnd() ?? ''}`
  return named?.name ?? thread?.subject ?? objectID
}
