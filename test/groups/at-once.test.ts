import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { inTransaction } from '../../src/database/database.ts'
import { createGroup } from '../../src/groups/create-group.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { joinGroup } from '../../src/groups/members/join-group.ts'
import { leaveGroup } from '../../src/groups/members/remove-members.ts'
import { updateMember } from '../../src/groups/members/update-member.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { countLockWaits } from '../support/lock-waits.ts'
import { startService } from '../support/service.ts'
import { type Cast, makeCast, rolesIn } from './cast.ts'

const serverURL = process.env.TEST_DATABASE_URL
const service = await startService()

/** Runs the second call while the first is not committed, and returns how the second ended. */
async function meanwhile(
  ctx: Context,
  first: (ctx: Context) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<string> {
  let end: Promise<string> | undefined
  await inTransaction(ctx.db, async (tx) => {
    await first({ ...ctx, db: tx })
    let outcome: string | undefined
    end = second()
      .then(
        () => 'done',
        (error) => error.code,
      )
      .then((ended) => {
        outcome = ended
        return ended
      })
    // The embedded database has one connection. Therefore the second call waits for the first without a lock.
    await setImmediate()
    if (serverURL) await expect.poll(async () => outcome ?? (await countLockWaits(ctx.db))).toBeTruthy()
  })
  return end ?? 'never begun'
}

/** Creates a group whose members are its admin, Ada and Grace, who joined in this order. */
async function makeTrio() {
  const cast = await makeCast(service)
  const { operator, groupID, member, as, ada, grace } = cast
  await leaveGroup(as(member.userID), { groupID })
  for (const { id } of [ada, grace]) {
    await addMembers(operator, { groupID, userIDs: [id] })
    await wait(2)
  }
  return cast
}

const comings: [string, (ctx: Context, cast: Cast) => Promise<unknown>][] = [
  ['creates a group', (ctx) => createGroup(ctx, { name: 'Own' })],
  ['joins a group', (ctx, { groupID }) => joinGroup(ctx, { groupID })],
  [
    'is added to a group',
    (ctx, { groupID, operator, ada }) =>
      addMembers({ ...operator, db: ctx.db }, { groupID, userIDs: [ada.id] }),
  ],
]

test.each(comings)('a user who is deleted while it %s is in no group afterwards', async (_what, come) => {
  const cast = await makeCast(service)
  const { operator, workspaceID, as, ada } = cast
  const end = await meanwhile(
    as(ada.id),
    (ctx) => come(ctx, cast),
    () => deletePerson(operator, { userID: ada.id }),
  )
  expect(end).toBe('done')
  expect(await operator.db.groupMember.count({ where: { workspaceID, userID: ada.id } })).toBe(0)
})

test('a user who joins while the last admin leaves becomes admin', async () => {
  const cast = await makeCast(service)
  const { as, ada, admin, member, groupID } = cast
  await leaveGroup(as(member.userID), { groupID })
  const end = await meanwhile(
    as(ada.id),
    (ctx) => joinGroup(ctx, { groupID }),
    () => leaveGroup(as(admin.userID), { groupID }),
  )
  expect([end, await rolesIn(cast, groupID)]).toEqual(['done', { [ada.id]: 'admin' }])
})

test('a user cannot join a group that becomes private at the same time', async () => {
  const cast = await makeCast(service)
  const { as, ada, admin, groupID } = cast
  const end = await meanwhile(
    as(admin.userID),
    (ctx) => updateGroup(ctx, { groupID, isPrivate: true }),
    () => joinGroup(as(ada.id), { groupID }),
  )
  expect([end, Object.keys(await rolesIn(cast, groupID)).length]).toEqual(['not_found', 2])
})

test.each([
  ['leaves', ({ as, ada, groupID }: Cast) => leaveGroup(as(ada.id), { groupID })],
  ['is deleted', ({ operator, ada }: Cast) => deletePerson(operator, { userID: ada.id })],
])('if the last admin leaves, and the next member %s at the same time, the member after that becomes admin', async (_what, go) => {
  const cast = await makeTrio()
  const { as, admin, grace, groupID } = cast
  const end = await meanwhile(
    as(admin.userID),
    (ctx) => leaveGroup(ctx, { groupID }),
    () => go(cast),
  )
  expect([end, await rolesIn(cast, groupID)]).toEqual(['done', { [grace.id]: 'admin' }])
})

test('an admin who is demoted at the same time cannot demote another admin', async () => {
  const cast = await makeTrio()
  const { as, operator, admin, ada, groupID } = cast
  await updateMember(operator, { groupID, userID: ada.id, role: 'admin' })
  const end = await meanwhile(
    as(admin.userID),
    (ctx) => updateMember(ctx, { groupID, userID: ada.id, role: 'member' }),
    () => updateMember(as(ada.id), { groupID, userID: admin.userID, role: 'member' }),
  )
  expect([end, (await rolesIn(cast, groupID))[admin.userID]]).toEqual(['forbidden', 'admin'])
})
