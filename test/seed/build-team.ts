import { createApp } from '../../src/apps/create-app.ts'
import { activeWebhookActor } from '../../src/apps/webhooks/authenticate-webhook.ts'
import { createWebhook } from '../../src/apps/webhooks/create-webhook.ts'
import type { Context, UserActor } from '../../src/context.ts'
import { createGroup } from '../../src/groups/create-group.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { updateMember } from '../../src/groups/members/update-member.ts'
import { scopes } from '../../src/scopes.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import type { Plan, Size } from './plan.ts'
import * as texts from './texts.ts'

/** The users and groups of the busy team, in the order of the plan. */
export type Team = {
  workspaceID: string
  people: { id: string; name: string }[]
  groups: { id: string; name: string }[]
  webhooks: UserActor[]
}

export const busyDomain = 'busy.example.com'

export function emailOf(person: number): string {
  return `person${person}@${busyDomain}`
}

/** Creates the workspace with its people, groups, webhooks and apps. */
export async function buildTeam(operator: Context, size: Size, { members }: Plan): Promise<Team> {
  const { id: workspaceID } = await createWorkspace(operator, { name: 'Busy team', emailDomain: busyDomain })
  const team: Team = { workspaceID, people: [], groups: [], webhooks: [] }
  for (const [person, name] of texts.people.slice(0, size.people).entries()) {
    const { id } = await createPerson(operator, { workspaceID, name, email: emailOf(person) })
    team.people.push({ id, name })
  }
  const userID = idOf(team.people, 0)
  // An admin of the General group is an admin of the workspace.
  await updateMember(operator, { groupID: workspaceID, userID, role: 'admin' })
  for (const [group, name] of texts.groups.slice(0, size.groups).entries()) {
    const isPrivate = texts.privateGroups.includes(name)
    const { id } = await createGroup(operator, { workspaceID, name, isPrivate })
    const userIDs = (members[group] ?? []).map((person) => idOf(team.people, person))
    await addMembers(operator, { groupID: id, userIDs })
    team.groups.push({ id, name })
  }
  for (const { name } of texts.webhooks) {
    const { webhook } = await createWebhook(operator, { workspaceID, name })
    const actor = await activeWebhookActor(operator.db, webhook.id)
    if (actor) team.webhooks.push(actor)
  }
  for (const name of texts.apps) {
    const redirectURIs = ['https://apps.example.com/callback']
    await createApp(operator, {
      workspaceID,
      name,
      redirectURIs,
      scopes: ['threads:read', 'threads.messages:write'],
    })
  }
  return team
}

export function idOf(objects: readonly { id: string }[], number: number): string {
  const object = objects[number]
  if (!object) throw new Error(`There is no number ${number}.`)
  return object.id
}

/** Returns the context in which a person of the team acts. */
export function contextOf(
  operator: Context,
  { workspaceID, people }: Team,
  person: number,
): Context<UserActor> {
  const userID = idOf(people, person)
  return { ...operator, actor: { kind: 'user', workspaceID, userID, scopes: new Set(scopes) } }
}
