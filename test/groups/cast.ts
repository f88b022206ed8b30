import { newID } from '../../src/platform/ids.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { makeApp, makeWorld, type World } from '../support/factories.ts'
import { mutate } from '../support/mutations.ts'
import { type GraphQLAnswer, operatorToken, type Service } from '../support/service.ts'

export type Cast = Awaited<ReturnType<typeof makeCast>>

/** Creates a world with a group whose admin and member are apps, and another app that is not in the group. */
export async function makeCast(service: Service, { isPrivate = false } = {}) {
  const world = await makeWorld(service)
  const { operator, workspaceID, app: admin } = world
  const [member, stranger] = [
    await makeApp(service, operator, workspaceID),
    await makeApp(service, operator, workspaceID),
  ]
  const change = (token: string, name: string, input: object, selection = '__typename') =>
    mutate(service, token, name, input, selection)
  const made = await change(admin.token, 'createGroup', { name: 'Crew', isPrivate }, 'group { id }')
  const groupID: string = made.data.createGroup.group.id
  const added = { groupID, userIDs: [member.userID] }
  expectNoErrors(await change(operatorToken, 'addMembers', added))
  return { ...world, admin, member, stranger, groupID, change }
}

/** Makes an app's user an admin of the workspace. */
export async function makeWorkspaceAdmin(
  { change, workspaceID }: Pick<Cast, 'change' | 'workspaceID'>,
  { userID }: { userID: string },
): Promise<void> {
  const input = { groupID: workspaceID, userID, role: 'admin' }
  expectNoErrors(await change(operatorToken, 'updateMember', input))
}

export function makePersons({ operator, workspaceID }: World, count: number) {
  const names = Array.from({ length: count }, (_, index) => `Person ${index}`)
  return Promise.all(names.map((name) => createPerson(operator, { workspaceID, name })))
}

/** Returns the stored roles of the members of a group, by the IDs of the users. */
export async function rolesIn({ operator, workspaceID }: World, groupID: string) {
  const rows = await operator.db.groupMember.findMany({ where: { workspaceID, groupID } })
  return Object.fromEntries(rows.map(({ userID, role }) => [userID, role]))
}

/** The mutations of a group, each with the input that it needs besides the group. */
export const changes = ({ ada }: World): [name: string, rest: object][] => [
  ['updateGroup', { name: 'X' }],
  ['joinGroup', {}],
  ['leaveGroup', {}],
  ['addMembers', { userIDs: [ada.id] }],
  ['removeMembers', { userIDs: [ada.id] }],
  ['updateMember', { userID: ada.id, role: 'admin' }],
]

/** Returns the fields that are not valid, or the codes of other errors. */
export function refusalOf(answer: GraphQLAnswer): string[] {
  return (answer.errors ?? []).flatMap(({ extensions: { code, errors } }) =>
    errors ? errors.map((error) => (error as { field: string }).field) : [code],
  )
}

export const unknownGroup = () => newID('grp')

function expectNoErrors(answer: GraphQLAnswer): void {
  if (answer.errors) throw new Error(JSON.stringify(answer.errors))
}
