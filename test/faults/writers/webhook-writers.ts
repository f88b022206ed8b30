import type { Audience } from '../history.ts'
import { type Desk, newText, nextKey } from './desk.ts'

type Posted = { messageID: string; threadID: string; created: boolean; threadCreated: boolean }

const postsAtOnce = 15

/** Posts a message. Resolves to its ID if the post was acknowledged. */
export async function post(
  desk: Desk,
  audience: Audience = desk.random.pick(['everyone', 'insiders', 'visitors']),
) {
  const { cast, postedIDs } = desk
  const messageID = await postPlain(desk, {
    path: cast.webhook.path,
    target: cast.threads[audience],
    audience,
  })
  if (messageID !== undefined && audience === 'everyone') postedIDs.push(messageID)
  return messageID
}

/** Posts many messages at the same time. The service writes them together. */
export async function postMany(desk: Desk): Promise<void> {
  await Promise.all(Array.from({ length: postsAtOnce }, () => post(desk)))
}

/** Posts a message in the other workspace. */
export function postElsewhere(desk: Desk): Promise<string | undefined> {
  const { foreignWebhook, foreignThread } = desk.cast
  return postPlain(desk, { path: foreignWebhook.path, target: foreignThread, audience: 'everyone' })
}

async function postPlain(
  { client, recorder }: Desk,
  { path, target, audience }: { path: string; target: string; audience: Audience },
): Promise<string | undefined> {
  const text = newText('fresh')
  const posted = await recorder.once(
    (url) => client.post<Posted>(`${url}${path}`, { target, text }),
    (answer) => [{ type: 'messageCreated', audience, objectID: answer?.messageID, text }],
  )
  return posted?.messageID
}

export async function postWithUniqueBy({ cast, client, recorder }: Desk): Promise<void> {
  const number = nextKey()
  const [uniqueBy, audience] = [`unique ${number}`, number % 2 ? 'everyone' : 'insiders'] as const
  const text = newText('fresh')
  await recorder.once(
    (url) =>
      client.post<Posted>(`${url}${cast.webhook.path}`, { target: cast.threads[audience], text, uniqueBy }),
    (answer) => {
      const type = answer?.created === false ? 'messageUpdated' : 'messageCreated'
      return [{ type, audience, objectID: answer?.messageID, text, key: uniqueBy }]
    },
  )
}

export async function postWithThreadBy({ cast, client, recorder }: Desk): Promise<void> {
  const number = nextKey()
  const [threadBy, audience] = [`thread ${number}`, number % 2 ? 'everyone' : 'visitors'] as const
  const text = newText('fresh')
  const body = { target: cast.groups[audience], text, threadBy, threadSubject: 'Topic' }
  await recorder.once(
    (url) => client.post<Posted>(`${url}${cast.webhook.path}`, body),
    (answer) => {
      const message = { type: 'messageCreated', audience, objectID: answer?.messageID, text } as const
      const thread = { ...message, type: 'threadCreated', objectID: answer?.threadID, key: threadBy } as const
      return answer?.threadCreated === false ? [message] : [thread, message]
    },
  )
}
