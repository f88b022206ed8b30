import { once } from 'node:events'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { freePort, repository, startProcess } from '../support/process.ts'
import { post } from './calls.ts'
import { Connection } from './connection.ts'
import { sendSafely } from './latencies.ts'
import { operatorToken } from './processes.ts'
import { makeWorld } from './worlds.ts'

// Prints the source files that a post to a webhook runs through, from V8's coverage of the built service. Files that
// also run while the service is idle do not count. The database is at DATABASE_URL. Without it, it is embedded.

const warmUpPosts = 300
const settleMs = 5000
const idleMs = 10_000
const posts = 5

type Script = { url: string; functions: { ranges: { count: number }[] }[] }

const inspectorPort = await freePort()
const { DATABASE_URL } = process.env
const service = await startProcess({
  NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
  OPERATOR_TOKEN: operatorToken,
  SKEIN_STARTER: 'off',
  WEBHOOK_RATE_PER_MINUTE: '0',
  ...(DATABASE_URL && { DATABASE_URL }),
})
try {
  const world = await makeWorld(service.url)
  const connection = new Connection(service.url)
  const postOnce = () => sendSafely(connection, post(world, { target: world.groupID }))
  for (let number = 0; number < warmUpPosts; number++) await postOnce()
  const { filesDuring, close } = await startCoverage()
  await filesDuring(() => sleep(settleMs))
  const idle = await filesDuring(() => sleep(idleMs))
  let every = await filesDuring(postOnce)
  // Other work that happens to run beside one of the posts, such as indexing, does not count.
  for (let number = 1; number < posts; number++) {
    const files = new Set(await filesDuring(postOnce))
    every = every.filter((file) => files.has(file))
  }
  connection.close()
  close()
  const ofPost = every.filter((file) => !idle.includes(file))
  process.stdout.write(
    `${ofPost.join('\n')}\n${ofPost.length} files, and ${every.length - ofPost.length} that also run while idle\n`,
  )
} finally {
  await service.stop()
}

/** `filesDuring` returns the source files of which a function ran during a step. */
async function startCoverage() {
  const targets = await (await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)).json()
  const socket = new WebSocket((targets as { webSocketDebuggerUrl: string }[])[0]?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  let id = 0
  const call = async (method: string, params = {}): Promise<{ result: { result: Script[] } }> => {
    socket.send(JSON.stringify({ id: ++id, method, params }))
    const [answer] = await once(socket, 'message')
    return JSON.parse(String(answer))
  }
  await call('Profiler.enable')
  await call('Profiler.startPreciseCoverage', { callCount: true })
  const filesDuring = async (step: () => Promise<unknown>) => {
    // This also sets all counts to zero.
    await call('Profiler.takePreciseCoverage')
    await step()
    const { result } = await call('Profiler.takePreciseCoverage')
    const hasRun = ({ functions }: Script) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    return result.result
      .filter(hasRun)
      .map(sourceOf)
      .filter((file) => file !== undefined)
      .sort()
  }
  // While it is open, the service does not exit.
  return { filesDuring, close: () => socket.terminate() }
}

/** Returns undefined for packages and generated code. */
function sourceOf({ url }: Script): string | undefined {
  if (!url.startsWith('file:')) return undefined
  const file = relative(join(repository, 'dist'), fileURLToPath(url))
  return /^(\.\.|generated)/.test(file) ? undefined : `src/${file.replace(/\.js$/, '.ts')}`
}
