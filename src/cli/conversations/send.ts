import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import { detailsOf } from '../print.ts'
import type { Verb } from '../verbs.ts'
import { connect } from './connect.ts'
import { findRecipient } from './find-recipient.ts'

export const credentialsOption = new Option(
  '--credentials <file>',
  'a JSON file with the credentials of the app; starter.json in DATA_DIR by default',
)

export const send: Verb = {
  usage: 'send <to> <text>',
  says: 'Send a message as an app to a group, a person or a thread. The text "-" reads from standard input.',
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
    const recipient = await findRecipient(skein, to)
    const message = { text: text === '-' ? readFileSync(0, 'utf8') : text, uniqueBy }
    const address = recipient.startsWith('thr_')
      ? { threadID: recipient }
      : { thread: { recipients: [recipient], subject, threadBy } }
    const sent = await skein.sendMessage({ ...address, message })
    const json = { messageID: sent.message.id, threadID: sent.thread.id, created: sent.created }
    return { json, text: detailsOf({ Message: 'messageID', Thread: 'threadID', Created: 'created' }, json) }
  },
}
