// Sends messages with discord.js: send-with-discord.mjs <URL of the format> <JSON>. The JSON has the ID and the token in
// the URL, and a list of messages. A message can name `file`, which is sent with it. Prints the answers.
import { EmbedBuilder, WebhookClient } from 'discord.js'

const [api, text] = process.argv.slice(2)
const { id, token, messages } = JSON.parse(text)
const client = new WebhookClient({ id, token }, { rest: { api, retries: 0 } })
const answers = []
for (const { file, embed, ...message } of messages) {
  const files = file ? [{ attachment: Buffer.from('the bytes of the file'), name: file }] : []
  const embeds = embed ? [EmbedBuilder.from(embed)] : []
  const sent = client.send({ ...message, files, embeds })
  answers.push(await sent.catch(({ name, code, status, message }) => ({ name, code, status, message })))
}
process.stdout.write(JSON.stringify(answers))
