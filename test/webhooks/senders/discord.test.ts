import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorld } from '../../support/factories.ts'
import { listen } from '../../support/live-service.ts'
import { jsonFrom } from '../../support/programs.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const root = `http://127.0.0.1:${await listen(service)}`
const program = join(import.meta.dirname, 'send-with-discord.mjs')

test('discord.js posts texts, embeds and files, and reads the answers and the errors', async () => {
  const { webhook, publicGroup, operator, workspaceID } = await makeWorld(service)
  const embed = {
    title: 'Build 12 failed',
    url: 'https://ci.example.com/12',
    color: 0xed4245,
    fields: [{ name: 'Branch', value: '`main`' }],
    image: { url: 'attachment://graph.png' },
  }
  const messages = [
    { content: 'Deploy of **#12** <t:1770000000:F>', username: 'CI' },
    { content: 'See', embed, file: 'graph.png' },
    { content: '' },
  ]
  const send = (id: string) =>
    jsonFrom(process.execPath, [
      program,
      `${root}${webhook.path}/discord`,
      JSON.stringify({ id, token: 'any', messages }),
    ])
  const answers = await send(publicGroup.id)
  const written = await operator.db.message.findMany({
    where: { workspaceID, authorID: webhook.userID },
    orderBy: { position: 'asc' },
  })
  expect(written.map(({ text, state, senderName }) => ({ text, state, senderName }))).toEqual([
    { text: 'Deploy of **#12** 2026-02-02 02:40 UTC', state: null, senderName: 'CI' },
    {
      text: [
        'See',
        '**[Build 12 failed](https://ci.example.com/12)**',
        '**Branch:** `main`',
        '_Not carried over: graph.png_',
      ].join('\n\n'),
      state: 'failed',
      senderName: null,
    },
  ])
  expect(answers).toMatchObject([
    { id: written[0]?.id, channel_id: written[0]?.threadID, author: { username: 'CI' } },
    { id: written[1]?.id, content: 'See' },
    { name: 'DiscordAPIError[50006]', code: 50006, status: 400, message: 'Cannot send an empty message' },
  ])
  expect(await send('123456789012345678')).toMatchObject([{ code: 50035 }, { code: 50035 }, { code: 50035 }])
})
