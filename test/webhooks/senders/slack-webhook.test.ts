import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorld } from '../../support/factories.ts'
import { listen } from '../../support/live-service.ts'
import { jsonFrom } from '../../support/programs.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const root = `http://127.0.0.1:${await listen(service)}`
const program = join(import.meta.dirname, 'send-with-slack-webhook.mjs')

const send = (url: string, messages: unknown[]) =>
  jsonFrom(process.execPath, [program, url, JSON.stringify(messages)])

test('@slack/webhook posts texts, attachments and blocks, and reads the answers', async () => {
  const { webhook, publicGroup, operator, workspaceID } = await makeWorld(service)
  const answers = await send(`${root}${webhook.path}/slack?target=${publicGroup.id}`, [
    'Deploy of <https://ci.example.com/12|#12> *started*',
    {
      text: '',
      attachments: [{ color: 'danger', fallback: 'Deploy #12 failed', title: 'Deploy #12 failed' }],
    },
    { text: 'fallback', blocks: [{ type: 'header', text: { type: 'plain_text', text: 'Deploy #13' } }] },
    { icon_emoji: ':rocket:' },
  ])
  const refused = { code: expect.stringMatching(/http_error/), message: expect.stringContaining('400') }
  expect(answers).toEqual([{ text: 'ok' }, { text: 'ok' }, { text: 'ok' }, refused])
  const messages = await operator.db.message.findMany({
    where: { workspaceID, authorID: webhook.userID },
    orderBy: { position: 'asc' },
  })
  expect(messages.map(({ text, state, senderName }) => ({ text, state, senderName }))).toEqual([
    {
      text: 'Deploy of [#12](https://ci.example.com/12) **started**',
      state: null,
      senderName: 'Deploy bot',
    },
    { text: '**Deploy #12 failed**', state: 'failed', senderName: 'Deploy bot' },
    { text: '**Deploy #13**', state: null, senderName: 'Deploy bot' },
  ])
})
