import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, say } from '../bench.ts'
import { pick, post } from '../calls.ts'
import { type Hostility, hostilities } from '../hostilities.ts'
import { runOpenLoad } from '../open-load.ts'
import type { Contestant, Row, Stage } from '../rounds.ts'
import { assault, innocentReads, places, type Scene, setScene, type Where } from '../scene.ts'

const perSecond = 10
const seconds = 10
const quickSeconds = 4
const headStartMs = 1000
const bounds = { PostgreSQL: 250, embedded: 1000 }

const kinds = ['nothing', ...Object.keys(hostilities)] as ('nothing' | Hostility)[]

const nameOf = (where: Where, kind: string) => `${where}: ${kind}`

/** The latency of a caller while a caller in another workspace uses its full limits over 100 connections. */
export const fairness: Stage = {
  rows: places.flatMap((where) =>
    kinds.map(
      (kind): Row => ({
        number: '20',
        title: `posts, \`me\` and lists of one caller while another one sends ${kind}, ${where}`,
        subject: nameOf(where, kind),
        baselines: [],
        against: 'its p99, from the moment when a call is due',
        ratio: (run) => (run.errors > 0 ? Number.POSITIVE_INFINITY : run.p99),
        unit: 'ms',
        wanted: { atMost: bounds[where] },
      }),
    ),
  ),

  async prepare(bench: Bench, names) {
    const contestants: Record<string, Contestant> = {}
    for (const where of places) {
      if (![...names].some((name) => name.startsWith(where))) continue
      const scene = await setScene(bench, where)
      for (const kind of kinds) contestants[nameOf(where, kind)] = { run: () => besides(bench, scene, kind) }
    }
    return contestants
  },
}

async function besides(bench: Bench, scene: Scene, kind: 'nothing' | Hostility) {
  const { service, innocent, threads, hostile } = scene
  const stop = kind === 'nothing' ? undefined : assault({ url: service.url, kind, hostile })
  await sleep(headStartMs)
  const posts = { perSecond, nextCall: () => post(innocent, { target: pick(threads) }) }
  const run = await runOpenLoad(
    service.url,
    [posts, ...innocentReads(scene)],
    bench.effort.quick ? quickSeconds : seconds,
  )
  const answered = await stop?.()
  say(`  ${kind}: ${JSON.stringify(answered ?? {})}, p99 ${run.p99.toFixed(0)} ms, ${run.errors} errors`)
  return run
}
