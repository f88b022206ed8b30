import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, say } from '../bench.ts'
import { pick, post } from '../calls.ts'
import { latency } from '../expectations.ts'
import { type Hostility, hostilities } from '../hostilities.ts'
import { runOpenLoad } from '../open-load.ts'
import type { Row, Stage } from '../rounds.ts'
import { assault, innocentReads, type Scene, setScene } from '../scene.ts'

const perSecond = 10
const seconds = 10
const quickSeconds = 4
const headStartMs = 1000

const kinds = ['nothing', ...Object.keys(hostilities)] as ('nothing' | Hostility)[]

/** The latency of a caller on the embedded database, while a caller in another workspace uses 100 connections. */
export const fairness: Stage = {
  rounds: 1,
  rows: kinds.map(
    (kind): Row => ({
      number: '20',
      title: `posts, \`me\` and lists of one caller while another one sends ${kind}, embedded`,
      subject: kind,
      expect: (_, all) =>
        `Whatever a caller of another workspace sends, 99 % of the answers of the embedded database arrive within ${latency('p99', ...all)}.`,
    }),
  ),

  async prepare(bench: Bench) {
    const scene = await setScene(bench, 'embedded')
    return Object.fromEntries(kinds.map((kind) => [kind, { run: () => besides(bench, scene, kind) }]))
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
