import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import { detailsOf } from '../print.ts'
import { resolveConversation } from '../references.ts'
import type { Subcommand } from '../subcommands.ts'
import { connect } from './connect.ts'

export const credentialsOption = new Option(
  '--credentials <file>',
  'a JSON file with the credentials of the app; starter.json in DATA_DIR by default',
)

export const send: Subcommand = {
  usage: 'send <to> <text>',
  description:
    'Send a message as an app to a group, a user or a thread. If the text is "-", read standard input.',
  options: [
    credentialsOption,
    new Option('--subject <text>', 'start a thread with this subject'),
    new Option('--thread-by <key>', 'a key for the thread; later calls with the same key append to it'),
    new Option('--unique-by <key>', 'a key for the message; later calls with the same key update it'),
  ],
  example: 'Builds "The build is green"',
  run: async (client, command, { env }) => {
    const [to, text] = command.processedArgs as [string, string]
    const { subject, threadBy, uniqueBy } = command.opts<Record<string, string | undefined>>()
    const skein = await connect(client, command, env)
    const id = await resolveConversation(skein, to)
    const message = { text: text === '-' ? readFileSync(0, 'utf8') : text, uniqueBy }
    const address = id.startsWith('thr_')
      ? { threadID: id }
      : { thread: { recipients: [id], subject, threadBy } }
    const sent = await skein.sendMessage({ ...address, message })
    const json = { messageID: sent.message.id, threadID: sent.thread.id, created: sent.created }
    return { json, text: detailsOf({ Message: 'messageID', Thread: 'threadID', Created: 'created' }, json) }
  },
}
