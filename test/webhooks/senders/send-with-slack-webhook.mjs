// Sends messages with Slack's own library: send-with-slack-webhook.mjs <URL> <JSON list>. Prints the answers.
import { IncomingWebhook } from '@slack/webhook'

const [url, messages] = process.argv.slice(2)
const webhook = new IncomingWebhook(url, { username: 'Deploy bot' })
const answers = []
for (const message of JSON.parse(messages)) {
  answers.push(await webhook.send(message).catch(({ code, message }) => ({ code, message })))
}
process.stdout.write(JSON.stringify(answers))
