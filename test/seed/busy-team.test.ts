import { beforeAll, expect, test } from 'vitest'
import { query } from '../../src/database/query.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { generalGroupID } from '../../src/groups/general-group-id.ts'
import { attentionIn, attentionQuery } from '../messages/mine/attention.ts'
import { Reference } from '../messages/mine/reference.ts'
import { graphqlAs, postForm, signIn } from '../support/browser-session.ts'
import { startService } from '../support/service.ts'
import { emailOf } from './build-team.ts'
import type { Post } from './plan.ts'
import { type BusyTeam, caughtUpAt, mutingPerson, newHire, seedBusyTeam } from './seed-busy-team.ts'
import { seedOnce } from './seed-once.ts'

const service = await startService()
const operator = service.contextOf({ kind: 'operator' })
const size = { people: 6, groups: 22, threads: 70, messages: 1100 }

let busy: BusyTeam
beforeAll(async () => {
  busy = await seedBusyTeam(operator, size)
})

async function attentionOf(email: string) {
  const cookie = await signIn(service, operator, email)
  const { data } = await graphqlAs(service, { cookie, workspaceID: busy.team.workspaceID }, attentionQuery)
  return attentionIn(data)
}

/** What a person must be told, from the plan alone. */
class Day {
  readonly #person: number
  readonly #reference: Reference
  readonly #begun = new Set<number>()
  readonly #status = new Map<number, ReturnType<Reference['messagesOf']>[number]>()

  constructor(person: number, userID: string) {
    this.#person = person
    this.#reference = new Reference(userID, generalGroupID(busy.team.workspaceID))
  }

  attention() {
    const { plan, team } = busy
    const isMember = plan.members.map((members) => members.includes(this.#person))
    this.#reference.created()
    for (const [group, { id }] of team.groups.entries()) if (isMember[group]) this.#reference.join(id)
    for (const post of plan.posts.filter(({ at }) => at < caughtUpAt)) this.#add(post)
    this.#reference.timePasses()
    if (this.#person >= 0) this.#reference.markAllRead(undefined)
    if (this.#person === mutingPerson(plan)) this.#reference.muteGroup(team.groups[0]?.id ?? '', true)
    for (const post of plan.posts.filter(({ at }) => at >= caughtUpAt)) {
      if (this.#isOwn(post) && this.#begun.has(post.thread)) this.#readAll(post.thread)
      this.#add(post)
    }
    this.#reference.timePasses()
    if (this.#person < 0) this.#reference.created()
    return this.#reference.attention()
  }

  #isOwn({ author }: Post): boolean {
    return 'person' in author && author.person === this.#person
  }

  #readAll(thread: number): void {
    const id = this.#threadID(thread)
    this.#reference.markRead(id, this.#reference.messagesOf(id).length)
  }

  #threadID(thread: number): string {
    return busy.sent.threadIDs.get(thread) ?? ''
  }

  #add(post: Post): void {
    const { people, groups, webhooks } = busy.team
    const threadID = this.#threadID(post.thread)
    if (!this.#begun.has(post.thread)) this.#begin(post.thread, threadID)
    const status = this.#status.get(post.thread)
    if (post.isUpdate && status) {
      this.#reference.edit(threadID, status, { mentions: [], calls: post.state === 'failed' })
      return
    }
    const { author, mention } = post
    const target = mention && ('person' in mention ? people[mention.person] : groups[mention.group])
    this.#reference.post(threadID, {
      id: busy.sent.messageIDs.get(post) ?? '',
      author: ('person' in author ? people[author.person]?.id : webhooks[author.webhook]?.userID) ?? '',
      isProgram: 'webhook' in author,
      mentions: target ? [target.id] : [],
    })
    const written = this.#reference.messagesOf(threadID).at(-1)
    if (post.uniqueBy && written) this.#status.set(post.thread, written)
  }

  #begin(thread: number, threadID: string): void {
    const planned = busy.plan.threads[thread]
    this.#begun.add(thread)
    const isDM = planned?.kind === 'dm'
    if (planned?.kind === 'dm' && !planned.between.includes(this.#person)) {
      this.#reference.begin(threadID, { groups: [], named: false, isDM: false })
      return
    }
    const groups = planned && 'group' in planned ? [busy.team.groups[planned.group]?.id ?? ''] : []
    const named = planned?.kind === 'thread' && planned.named === this.#person
    this.#reference.begin(threadID, { groups, named, isDM, isChat: planned?.kind === 'chat' })
  }
}

test('each person is told what the rules say of what was posted, and how it was read', async () => {
  for (const [person, { id, name }] of busy.team.people.entries()) {
    const told = await attentionOf(emailOf(person))
    expect(told, name).toEqual(new Day(person, id).attention())
    expect(told.unread[0], name).toBeGreaterThan(0)
  }
})

test('a new hire is told of nothing', async () => {
  const told = await attentionOf(newHire.email)
  expect(told).toEqual(new Day(-1, busy.newHireID).attention())
  expect(told).toEqual({ threads: {}, unreadThreads: [], groups: [], mentions: [], unread: [0, 0, 0] })
})

test('the threads and messages have the planned numbers, and the times of each thread have its order', async () => {
  const { workspaceID } = busy.team
  const [found] = await query(
    operator.db,
    Prisma.sql`
    SELECT (SELECT count(*)::integer FROM threads WHERE workspace_id = ${workspaceID}) AS threads,
      count(*)::integer AS messages, count(DISTINCT s.message_id)::integer AS searchable,
      count(*) FILTER (WHERE m.created_at < before.created_at)::integer AS "outOfOrder",
      count(*) FILTER (WHERE m.created_at > now() - interval '2 minutes')::integer AS late,
      count(*) FILTER (WHERE m.created_at < now() - interval '22 days')::integer AS early
    FROM messages m
    LEFT JOIN messages before ON before.workspace_id = m.workspace_id AND before.thread_id = m.thread_id
      AND before.position = m.position - 1
    LEFT JOIN searchable_messages s ON s.workspace_id = m.workspace_id AND s.message_id = m.id AND s.created_at = m.created_at
    WHERE m.workspace_id = ${workspaceID}`,
  )
  const { threads, messages } = size
  expect(found).toEqual({ threads, messages, searchable: messages, outOfOrder: 0, late: 0, early: 0 })
})

test('a second run creates nothing, and its links sign in', async () => {
  const said: string[] = []
  const before = await operator.db.workspace.count()
  await seedOnce(operator, size, (text) => void said.push(text))
  expect(await operator.db.workspace.count()).toBe(before)
  expect(said[0]).toBe('The busy team exists.')
  const paths = said.slice(1).map((text) => new URL(text.split('\n  ')[1] ?? '').pathname)
  const answers = await Promise.all(paths.map((path) => postForm(service, path)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
})
