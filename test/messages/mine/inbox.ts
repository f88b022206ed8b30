import { expect } from 'vitest'
import { dmWith } from '../../../src/threads/chats.ts'
import { findUserUnscoped } from '../../../src/users/access.ts'
import { makeWorld, say } from '../../support/factories.ts'
import { mutation } from '../../support/mutations.ts'
import type { Service } from '../../support/service.ts'
import { signedIn } from '../../support/signed-in.ts'
import { moveBack } from './move-back.ts'

/**
 * Creates a world with a new person, Nora, who is only in the General group. `as` acts as anyone, and `posted` is a thread
 * of Ada in the public group.
 */
export async function makeInbox(service: Service) {
  const world = await makeWorld(service)
  const { as, ada, operator, workspaceID, publicGroup } = world
  const posted = await say(as(ada.id), [publicGroup.id], 'one', 'Before')
  const nora = await signedIn(service, world, 'member')
  const change = async (name: string, input: object) => {
    const field = name.endsWith('Group') ? 'group' : name.endsWith('AllRead') ? 'viewer' : 'thread'
    const id =
      field === 'viewer' ? '__typename' : field === 'group' ? 'isMuted hasUnread' : 'isMuted isFollowed'
    const { data, errors } = await nora.ask(mutation(name, `${field} { ${id} }`), { input })
    expect(errors).toBeUndefined()
    return data[name][field]
  }
  /** The subjects of the threads that concern Nora, the latest first, and what is unread. */
  const inbox = async () => {
    const { data, errors } = await nora.ask(`{
      viewer { unread { threads directMessages mentions } }
      threads(filter: { mine: true }, order: lastMessage) { nodes { id subject kind unreadCount } }
      unread: threads(filter: { mine: true, unread: true }) { nodes { id } }
    }`)
    expect(errors).toBeUndefined()
    const threads: { id: string; subject: string | null; kind: string; unreadCount: number }[] =
      data.threads.nodes
    const inUnread = new Set<string>(data.unread.nodes.map(({ id }: { id: string }) => id))
    // Two ways to ask for the same thing give the same answer.
    expect(
      threads
        .filter(({ unreadCount }) => unreadCount > 0)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...inUnread].sort())
    const listed = Object.fromEntries(
      threads.map(({ subject, kind, unreadCount }) => [subject ?? kind, unreadCount]),
    )
    return { listed, unread: Object.values(data.viewer.unread) }
  }
  const timePasses = async () => {
    for (const statement of moveBack(workspaceID)) await operator.db.$executeRawUnsafe(statement)
  }
  const mentionOf = ({ id }: { id: string }) => `Look, [X](skein:${id})!`
  const dm = async () => {
    const ctx = as(ada.id)
    const user = await findUserUnscoped(ctx, workspaceID, nora.id)
    if (!user) throw new Error('no Nora')
    return dmWith(ctx, user)
  }
  return { ...world, nora, posted, change, inbox, timePasses, mentionOf, dm }
}
