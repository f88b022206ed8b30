import { Option } from 'commander'
import { Webhook } from '../../sdk/index.ts'
import { Failure } from '../failure.ts'
import { detailsOf } from '../print.ts'
import { type Verb, workspaceOf } from '../verbs.ts'

/** Posts one message to a webhook's URL, which the server does not store. Later tests update the message. */
export const testWebhook: Verb = {
  usage: 'test <url>',
  says: "Post a test message to a webhook's URL. A second test updates the message.",
  options: [new Option('--target <id>', 'a group or thread; the General group of the workspace by default')],
  example: 'https://skein.example.com/webhook/wbh_.../... --target grp_...',
  run: async (client, command) => {
    const [url] = command.processedArgs as [string]
    if (!/^https?:\/\/.+\/webhook\/wbh_\w+\/[\w-]+$/.test(url)) {
      throw new Failure(
        "This is not a webhook's URL. It looks like https://skein.example.com/webhook/wbh_.../<key>",
      )
    }
    const target = command.opts<{ target?: string }>().target ?? (await workspaceOf(client, command))
    const posted = await new Webhook(url, { retries: 0, attemptTimeoutMs: 20_000 }).post({
      target,
      text: 'This is a test of the webhook.',
      uniqueBy: 'skein webhooks test',
    })
    const text = detailsOf({ Message: 'messageID', Thread: 'threadID', Created: 'created' }, posted)
    return { json: posted, text: `The webhook works.\n${text}` }
  },
}
