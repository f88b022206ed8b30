import { type AttentionData, attentionIn, attentionQuery } from '../../messages/mine/attention.ts'
import { moveBack } from '../../messages/mine/move-back.ts'
import type { Attention } from '../../messages/mine/reference.ts'
import { killSome } from '../deployment/chaos.ts'
import type { Deployment } from '../deployment/deployment.ts'
import { Client } from '../deployment/requests.ts'
import type { Random } from '../random.ts'
import { type Desk, read } from './desk.ts'
import { Ledger } from './ledger.ts'
import { type Courses, inOrder, readNews } from './news.ts'
import { openOffice } from './office.ts'
import { race } from './race.ts'
import { settings } from './settings.ts'
import { talk } from './talk.ts'

const shownChanges = 100
/** Time passes often enough that nothing since the last time is a minute old. */
const stepsBetween = 10
const longestBetweenMs = 30_000

export type Lived = {
  quietPoints: number
  kinds: ReadonlySet<string>
  kills: string[]
  surprises: string[]
}

/** What a person is told, and what they should be told, after the last changes. */
export type Mismatch = { person: string; told: Attention; expected: Attention; log: string[] }

/**
 * Lets people write and read while targets are killed, and compares what each person is told with the references at
 * every quiet point, until `isEnough` is true or a person is told something that no reference explains.
 */
export async function liveInbox(
  deployment: Deployment,
  random: Random,
  isEnough: (lived: Lived) => boolean,
): Promise<Lived & { mismatches: Mismatch[] }> {
  const desk = await openDesk(deployment, random)
  const lived = {
    quietPoints: 0,
    kinds: desk.kinds,
    kills: [],
    surprises: desk.client.surprises,
  }
  let mismatches = await takeStep(desk, lived.kills, async () => inOrder)
  let passedAt = 0
  while (mismatches.length === 0 && !isEnough(lived)) {
    if (lived.quietPoints % stepsBetween === 0 || performance.now() > passedAt + longestBetweenMs) {
      await letTimePass(desk)
      passedAt = performance.now()
    }
    mismatches = await takeStep(desk, lived.kills, random.pick([talk, talk, settings, settings, race]))
    lived.quietPoints += 1
  }
  return { ...lived, mismatches }
}

async function openDesk(deployment: Deployment, random: Random): Promise<Desk> {
  const client = new Client()
  const office = await openOffice(client, deployment.url(random))
  return {
    ...{ office, deployment, client, random },
    ledgers: office.everyone.map((person) => new Ledger(person, office)),
    texts: new Map(),
    started: new Map(),
    known: new Map(),
    lost: [],
    kinds: new Set(),
    log: [],
  }
}

type Step = (desk: Desk) => Promise<Courses>

/** Takes a step, in which targets may be killed, and compares at its end. */
async function takeStep(desk: Desk, kills: string[], step: Step): Promise<Mismatch[]> {
  const { deployment, random, ledgers } = desk
  const targets = deployment.targets.filter((target) => target !== deployment.receiver)
  desk.log.push(`-- ${step.name}`)
  const fault = random.below(5) === 0 ? killSome({ targets, random }, kills) : undefined
  const [coursesOf] = await Promise.all([step(desk), fault])
  const news = await readNews(desk)
  for (const ledger of ledgers) ledger.choose(coursesOf(ledger, news))
  return (await Promise.all(ledgers.map((ledger) => mismatchOf(desk, ledger)))).flat()
}

async function mismatchOf(desk: Desk, ledger: Ledger): Promise<Mismatch[]> {
  const told = attentionIn(await read<AttentionData>(desk, ledger.person, attentionQuery))
  const expected = ledger.explain(told)
  return expected ? [{ person: ledger.person.name, told, expected, log: desk.log.slice(-shownChanges) }] : []
}

async function letTimePass({ deployment, office, ledgers, log }: Desk): Promise<void> {
  log.push('-- time passes')
  await deployment.runSQL(moveBack(office.workspaceID))
  for (const ledger of ledgers) ledger.add((reference) => reference.timePasses())
}
