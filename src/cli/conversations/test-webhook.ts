import { type Command, Option } from 'commander'
import { Webhook } from '../../sdk/index.ts'
import type { Client } from '../client.ts'
import { Failure } from '../failure.ts'
import { detailsOf, valueAt } from '../print.ts'
import { resolveReference } from '../references.ts'
import { requireWorkspace, type Subcommand } from '../subcommands.ts'

/** Posts a test message. Takes the webhook's URL as an argument, because the server does not store the URL. */
export const testWebhook: Subcommand = {
  usage: 'test <url>',
  description:
    'Post a test message to the URL of a webhook. If you run it again, it updates the same message.',
  options: [
    new Option(
      '--target <target>',
      'the name or ID of a group, or the ID of a thread; the General group by default',
    ),
  ],
  example: 'https://skein.example.com/webhook/wbh_.../... --target grp_...',
  run: async (client, command) => {
    const [url] = command.processedArgs as [string]
    if (!/^https?:\/\/.+\/webhook\/wbh_\w+\/[\w-]+$/.test(url)) {
      throw new Failure(
        'This is not a webhook URL. A webhook URL looks like https://skein.example.com/webhook/wbh_.../<key>',
      )
    }
    const target = await targetOf(client, command, url)
    const posted = await new Webhook(url, { retries: 0, attemptTimeoutMs: 20_000 }).post({
      target,
      text: 'This is a test of the webhook.',
      uniqueBy: 'skein webhooks test',
    })
    const text = detailsOf({ Message: 'messageID', Thread: 'threadID', Created: 'created' }, posted)
    return { json: posted, text: `The webhook works.\n${text}` }
  },
}

/** Returns the ID of the target. By default, this is the ID of the workspace, which selects its General group. */
async function targetOf(client: Client, command: Command, url: string): Promise<string> {
  const { target } = command.opts<{ target?: string }>()
  if (target !== undefined && /^(thr|grp|wks)_[0-9A-Za-z]+$/.test(target)) return target
  const workspaceID = await workspaceOfWebhook(client, url)
  await requireWorkspace(client, command, workspaceID, 'The webhook')
  if (target === undefined) return workspaceID
  return resolveReference(client, 'group', target, async () => workspaceID)
}

/** Returns the ID of the webhook's workspace. It differs from the ID of the General group only in the prefix. */
async function workspaceOfWebhook(client: Client, url: string): Promise<string> {
  const document = `query ($id: ID!) {
    node(id: $id) { ... on Webhook { user { groups(first: 100) { nodes { id isGeneral } } } } }
  }`
  const [id] = /wbh_\w+/.exec(new URL(url).pathname) ?? []
  const groups = valueAt(await client(document, { id }), 'node.user.groups.nodes') as Group[] | undefined
  const general = groups?.find(({ isGeneral }) => isGeneral)
  if (!general) throw new Failure(`The webhook ${id} does not exist on this server.`)
  return general.id.replace('grp_', 'wks_')
}

type Group = { id: string; isGeneral: boolean }
