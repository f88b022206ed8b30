import { expect, test } from 'vitest'
import { createGroup } from '../../../src/groups/create-group.ts'
import { addMembers } from '../../../src/groups/members/add-members.ts'
import { deleteMessage } from '../../../src/messages/delete-message.ts'
import { editMessage } from '../../../src/messages/edit-message.ts'
import { updateThread } from '../../../src/messages/thread-changes/update-thread.ts'
import { seededRandom } from '../../faults/random.ts'
import { postToWebhook, say } from '../../support/factories.ts'
import { mutation } from '../../support/mutations.ts'
import { startService } from '../../support/service.ts'
import { attentionIn, attentionQuery } from './attention.ts'
import { makeInbox } from './inbox.ts'
import { type Attention, Reference } from './reference.ts'

const service = await startService({ WEBHOOK_MESSAGES_PER_MINUTE: '100000' })

const actions = [
  ...[
    'post',
    'post',
    'post',
    'say',
    'say',
    'say',
    'mention',
    'mention',
    'edit',
    'call',
    'call',
    'delete',
    'close',
  ],
  ...['write', 'join', 'join', 'leave', 'muteGroup', 'unmuteGroup', 'follow', 'unfollow', 'mute', 'unmute'],
  ...['markRead', 'markRead', 'markUnread', 'markAll', 'markGroup', 'undo', 'timePasses', 'timePasses'],
] as const

/** Makes random changes, and after each compares what the service says with a reference that knows only the changes. */
async function expectInbox(seed: number): Promise<void> {
  const world = await makeInbox(service)
  const { as, ada, nora, webhook, operator, workspaceID, generalGroupID, publicGroup, change } = world
  const random = seededRandom(seed)
  const second = await createGroup(operator, { workspaceID, name: `Second ${seed}` })
  await addMembers(operator, { groupID: second.id, userIDs: [ada.id] })
  const groups = [generalGroupID, publicGroup.id, second.id] as const
  const reference = new Reference(nora.id, generalGroupID)
  reference.begin(world.posted.thread.id, { groups: [publicGroup.id], named: false, isDM: false })
  reference.post(world.posted.thread.id, { id: world.posted.message.id, author: ada.id })
  reference.created()
  const dm = await world.dm()
  reference.begin(dm.id, { groups: [], named: false, isDM: true })
  const posted = new Map<string, string>()
  const log: string[] = []

  const act = async (action: (typeof actions)[number]): Promise<void> => {
    const thread = random.pick(reference.threadIDs as [string, ...string[]])
    const group = random.pick(groups)
    const own = reference.messagesOf(thread).filter(({ author, isGone }) => author === ada.id && !isGone)
    const message = own[random.below(own.length || 1)]
    const joinable = group === generalGroupID ? publicGroup.id : group
    log.push(
      `${action} ${reference.threadIDs.indexOf(thread)} ${groups.indexOf(group)} ${message?.position ?? ''}`,
    )
    switch (action) {
      case 'post': {
        const to = random.pick([[group], [group], [publicGroup.id, second.id], [group, nora.id], [group]])
        const subject = `T${reference.threadIDs.length}`
        const { thread: made, message: first } = await say(as(ada.id), to, subject, subject)
        const named = to.includes(nora.id)
        reference.begin(made.id, { groups: to.filter((id) => id !== nora.id), named, isDM: false })
        return reference.post(made.id, { id: first.id, author: ada.id })
      }
      case 'say': {
        const { message: said } = await say(as(ada.id), thread, 'x')
        return reference.post(thread, { id: said.id, author: ada.id })
      }
      case 'mention': {
        const target = random.pick([nora.id, group])
        const byProgram = random.below(3) === 0 && thread !== dm.id
        const text = world.mentionOf({ id: target })
        if (byProgram) {
          const answer = await postToWebhook(service, webhook.path, { target: thread, text })
          expect(answer.statusCode).toBe(200)
          const { messageID: id } = answer.json()
          return reference.post(thread, { id, author: webhook.userID, isProgram: true, mentions: [target] })
        }
        const { message: said } = await say(as(ada.id), thread, text)
        return reference.post(thread, { id: said.id, author: ada.id, mentions: [target] })
      }
      case 'edit': {
        if (!message) return
        const target = random.pick([nora.id, group, undefined])
        const text = target ? world.mentionOf({ id: target }) : 'edited'
        await editMessage(as(ada.id), { messageID: message.id, text })
        return reference.edit(thread, message, { mentions: target ? [target] : [], calls: false })
      }
      case 'call': {
        if (!message) return
        await editMessage(as(ada.id), { messageID: message.id, text: `call ${log.length}`, notify: 'always' })
        return reference.edit(thread, message, { mentions: [], calls: true })
      }
      case 'delete': {
        if (!message) return
        await deleteMessage(as(ada.id), { messageID: message.id })
        message.isGone = true
        return
      }
      case 'close': {
        if (thread === dm.id) return
        const closed = posted.get(thread) !== 'closed'
        posted.set(thread, closed ? 'closed' : 'open')
        await updateThread(as(ada.id), { threadID: thread, closed })
        return reference.post(thread, { id: '', author: ada.id, isGone: true })
      }
      case 'write': {
        const { message: said } = await say(as(nora.id), thread, 'mine')
        return reference.post(thread, { id: said.id, author: nora.id })
      }
      case 'join':
        await change('joinGroup', { groupID: joinable })
        return reference.join(joinable)
      case 'leave':
        await change('leaveGroup', { groupID: joinable })
        return reference.leave(joinable)
      case 'muteGroup':
      case 'unmuteGroup':
        if (!reference.isMember(group)) return
        await change(action, { groupID: group })
        return reference.muteGroup(group, action === 'muteGroup')
      case 'follow':
        if (thread === dm.id) return
        await change('followThread', { threadID: thread })
        return reference.follow(thread)
      case 'unfollow':
        await change('unfollowThread', { threadID: thread })
        return reference.unfollow(thread)
      case 'mute':
      case 'unmute':
        await change(`${action}Thread`, { threadID: thread })
        return reference.mute(thread, action === 'mute')
      case 'markRead':
      case 'markUnread': {
        if (!message) return
        const [name, field] =
          action === 'markRead' ? ['markRead', 'upToMessageID'] : ['markUnread', 'fromMessageID']
        const input = { threadID: thread, [field as string]: message.id }
        const { errors } = await nora.ask(mutation(name as string, 'thread { id }'), { input })
        expect(errors).toBeUndefined()
        return action === 'markRead'
          ? reference.markRead(thread, message.position)
          : reference.markUnread(thread, message.position)
      }
      case 'markAll':
        await change('markAllRead', {})
        return reference.markAllRead(undefined)
      case 'markGroup':
        if (!reference.isMember(group)) return
        await change('markAllRead', { groupID: group })
        return reference.markAllRead(group)
      case 'undo':
        if (!reference.undo()) return
        await change('undoMarkAllRead', reference.undone)
        return
      case 'timePasses':
        await world.timePasses()
        return reference.timePasses()
    }
  }

  for (let step = 0; step < 40; step += 1) {
    await act(random.pick(actions))
    expect(await observed(world), `seed ${seed}:\n${log.join('\n')}`).toEqual(reference.attention())
  }
}

async function observed({ nora }: Awaited<ReturnType<typeof makeInbox>>): Promise<Attention> {
  const { data, errors } = await nora.ask(attentionQuery)
  expect(errors).toBeUndefined()
  return attentionIn(data)
}

test.each(
  Array.from({ length: 6 }, (_, seed) => seed),
)('what concerns a person, and what of it is unread, after random changes: seed %i', async (seed) => {
  await expectInbox(seed)
})
