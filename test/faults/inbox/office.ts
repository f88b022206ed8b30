import { toGroupID } from '../../../src/groups/general-group-id.ts'
import type { Client } from '../deployment/requests.ts'
import { Setup } from '../deployment/setup.ts'

export type Person = { name: string; token: string; userID: string }

/** A thread, group chat or DM. `people` are those who can see it. */
export type Place = {
  id: string
  kind: 'thread' | 'chat' | 'dm'
  groups: readonly string[]
  named: readonly string[]
  people: readonly Person[]
}

/** People who read and write, and what they share. Everyone can see everything except the DMs of others. */
export type Office = {
  workspaceID: string
  /** Writes most messages, and is in all groups. */
  ada: Person
  readers: [Person, ...Person[]]
  everyone: readonly Person[]
  /** Everyone is in the first group. The readers join and leave the others. */
  groups: [string, string, string]
  webhook: { path: string; userID: string }
  places: Map<string, Place>
}

export async function openOffice(client: Client, url: string): Promise<Office> {
  const setup = new Setup(client, url)
  const workspaceID = await setup.workspace('Office')
  const person = async (name: string): Promise<Person> => ({
    name,
    ...(await setup.person(workspaceID, name)),
  })
  const ada = await person('Ada')
  await setup.promote(workspaceID, ada.userID)
  const readers: Office['readers'] = [await person('Nora'), await person('Omar'), await person('Pia')]
  const everyone = [ada, ...readers]
  const group = (name: string) => setup.group({ workspaceID, name, isPrivate: false }, [ada.userID])
  const groups: Office['groups'] = [toGroupID(workspaceID), await group('Board'), await group('Second')]
  const webhook = await setup.webhook(workspaceID)
  const places: Place[] = []
  for (const id of groups) {
    const shared = { groups: [id], named: [], people: everyone }
    places.push({ id: await setup.thread(ada, [id], null), kind: 'chat', ...shared })
    places.push({ id: await setup.thread(ada, [id]), kind: 'thread', ...shared })
  }
  for (const reader of readers) {
    const id = await setup.thread(ada, [reader.userID], null)
    places.push({ id, kind: 'dm', groups: [], named: [], people: [ada, reader] })
  }
  const byID = new Map(places.map((place) => [place.id, place]))
  return { workspaceID, ada, readers, everyone, groups, webhook, places: byID }
}
