import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { atEnd } from './closing.ts'
import type { World } from './worlds.ts'

const query = 'subscription { events(types: [messageCreated]) { cursor message { text user { name } } } }'

export type Subscribers = {
  /** Resolves to the times at which the subscribers received the message with this text. */
  received: (text: string) => Promise<number[]>
  close: () => void
}

type Expected = { times: number[]; resolve: (times: number[]) => void }

/** Opens a subscription by Server-Sent Events for each reader. Resolves when all subscriptions have begun. */
export async function subscribe(url: string, readers: World[]): Promise<Subscribers> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const expected = new Map<string, Expected>()
  const onText = (text: string) => {
    const one = expected.get(text)
    if (one?.times.push(performance.now()) !== readers.length) return
    expected.delete(text)
    one.resolve(one.times)
  }
  const opened = readers.map(({ token }) => open(`${url}/public/graphql`, { token, agent, onText }))
  await Promise.all(opened)
  const close = () => agent.destroy()
  atEnd(async () => close())
  const received = (text: string) =>
    new Promise<number[]>((resolve) => expected.set(text, { times: [], resolve }))
  return { received, close }
}

type Opening = { token: string; agent: Agent; onText: (text: string) => void }

async function open(url: string, { token, agent, onText }: Opening): Promise<void> {
  const sent = request(url, {
    agent,
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
  })
  sent.end(JSON.stringify({ query }))
  const [answer] = await once(sent, 'response')
  if (answer.statusCode !== 200) throw new Error(`A subscription was refused: ${answer.statusCode}`)
  let rest = ''
  answer.setEncoding('utf8')
  answer.on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1]
      if (data) onText(JSON.parse(data).data.events.message.text)
    }
  })
  answer.on('error', () => undefined)
}
