import type { Access, Audience, Turn } from '../history.ts'
import type { Client } from './requests.ts'
import { Setup } from './setup.ts'

/** The members, groups and threads of a history. Each group and thread has one audience. */
export type Cast = Awaited<ReturnType<typeof createCast>>

/** Creates two workspaces. No member of one workspace can hear events of the other. */
export async function createCast(client: Client, url: string) {
  const setup = new Setup(client, url)
  const [workspaceID, elsewhereID] = [await setup.workspace('Workshop'), await setup.workspace('Elsewhere')]
  const author = await setup.member(workspaceID, { isAdmin: true })
  const witness = await setup.member(workspaceID, { isAdmin: true })
  const outsider = await setup.member(workspaceID)
  const rover = await setup.member(workspaceID)
  const stranger = await setup.member(elsewhereID, { isAdmin: true })
  const webhook = await setup.webhook(workspaceID)
  const foreignWebhook = await setup.webhook(elsewhereID)
  const members = [author, witness, webhook].map(({ userID }) => userID)
  const group = (name: string, isPrivate: boolean) => setup.group({ workspaceID, name, isPrivate }, members)
  const groups = {
    everyone: await group('Board', false),
    insiders: await group('Insiders', true),
    visitors: await group('Visitors', true),
  }
  const threads: { [audience in Audience]: string } = {
    everyone: await setup.thread(author, [groups.everyone]),
    insiders: await setup.thread(author, [groups.insiders]),
    visitors: await setup.thread(author, [groups.visitors]),
    guests: await setup.thread(author, [author.userID, witness.userID]),
  }
  const foreignThread = await setup.thread(stranger, [elsewhereID])
  return {
    ...{ workspaceID, author, witness, outsider, rover, webhook, groups, threads },
    ...{ elsewhereID, stranger, foreignWebhook, foreignThread },
    /** When the rover came to the group and the thread, and left them. */
    turns: { visitors: [absent], guests: [absent] },
  }
}

const absent: Turn = {
  isPresent: false,
  startedAt: Number.NEGATIVE_INFINITY,
  endedAt: Number.NEGATIVE_INFINITY,
}

export const seesAll: Access = { everyone: true, insiders: true, visitors: true, guests: true }
export const seesPublic: Access = { everyone: true, insiders: false, visitors: false, guests: false }

export function accessOfRover({ turns }: Cast): Access {
  return { ...seesPublic, ...turns }
}
