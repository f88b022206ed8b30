import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context, UserActor } from '../../src/context.ts'
import { uploadFile } from '../../src/files/upload-file.ts'
import { addReaction } from '../../src/messages/reactions/react.ts'
import { markRead } from '../../src/messages/reads/mark-read.ts'
import { sendMessage } from '../../src/messages/send/send-message.ts'
import { contextOf, idOf, type Team } from './build-team.ts'
import type { Plan, PlannedThread, Post } from './plan.ts'

/** What the plan became so far: the IDs of its threads, and of the messages of its posts. */
export type Sent = { threadIDs: Map<number, string>; messageIDs: Map<Post, string> }

export type Sending = { operator: Context; team: Team; plan: Plan; sent: Sent }

/**
 * Sends posts in their order, except that some are sent at once, to different threads. With `marksRead`, people read a
 * thread before they write in it.
 */
export async function sendPosts(
  sending: Sending,
  posts: readonly Post[],
  { atOnce, marksRead = false }: { atOnce: number; marksRead?: boolean },
): Promise<void> {
  for (let from = 0; from < posts.length; from += atOnce) {
    const byThread = new Map<number, Post[]>()
    for (const post of posts.slice(from, from + atOnce))
      byThread.set(post.thread, [...(byThread.get(post.thread) ?? []), post])
    await Promise.all([...byThread.values()].map((ofThread) => sendInOrder(sending, ofThread, marksRead)))
  }
}

async function sendInOrder(sending: Sending, posts: readonly Post[], marksRead: boolean): Promise<void> {
  for (const post of posts) await send(sending, post, marksRead)
}

async function send(sending: Sending, post: Post, marksRead: boolean): Promise<void> {
  const { operator, team, plan, sent } = sending
  const { author, thread, text, mention, file, reaction, uniqueBy, state, threadClosed } = post
  const ctx =
    'person' in author
      ? contextOf(operator, team, author.person)
      : webhookContext(operator, team, author.webhook)
  const threadID = sent.threadIDs.get(thread)
  if (marksRead && threadID && 'person' in author) await markRead(ctx, { threadID })
  const attachments = file ? [await upload(ctx, file)] : undefined
  const message = {
    text: `${text}${mention ? mentionIn(sending, mention) : ''}`,
    attachments,
    uniqueBy,
    state,
    threadClosed,
  }
  const address = threadID
    ? { threadID }
    : { thread: addressOf(team, plan.threads[thread], ctx.actor.userID) }
  const written = await sendMessage(ctx, { ...address, message })
  sent.threadIDs.set(thread, written.threadID)
  sent.messageIDs.set(post, written.messageID)
  if (reaction)
    await addReaction(contextOf(operator, team, reaction.person), {
      messageID: written.messageID,
      emoji: reaction.emoji,
    })
}

function webhookContext(operator: Context, { webhooks }: Team, number: number): Context<UserActor> {
  const actor = webhooks[number]
  if (!actor) throw new Error(`There is no webhook ${number}.`)
  return { ...operator, actor }
}

function addressOf({ people, groups }: Team, thread: PlannedThread | undefined, authorID: string) {
  if (!thread) throw new Error('The thread is not planned.')
  if (thread.kind === 'chat') return { recipients: [idOf(groups, thread.group)] }
  if (thread.kind === 'dm')
    return {
      recipients: thread.between.map((person) => idOf(people, person)).filter((id) => id !== authorID),
    }
  const named = thread.named === undefined ? [] : [idOf(people, thread.named)]
  return {
    recipients: [idOf(groups, thread.group), ...named],
    subject: thread.subject,
    threadBy: thread.threadBy,
  }
}

function mentionIn(
  { operator, team: { people, groups } }: Sending,
  mention: NonNullable<Post['mention']>,
): string {
  const target = 'person' in mention ? people[mention.person] : groups[mention.group]
  return target ? ` [${target.name}](${operator.config.mentionSchemes[0]}:${target.id})` : ''
}

async function upload(ctx: Context, name: string): Promise<string> {
  const bytes = Buffer.from(`${name} of the busy team\n`.repeat(20))
  const contentMD5 = createHash('md5').update(bytes).digest('base64')
  const { id } = await uploadFile(ctx, {
    name,
    contentMD5,
    sizeBytes: bytes.length,
    open: () => Readable.from([bytes]),
  })
  return id
}
