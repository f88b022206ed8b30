import { once } from 'node:events'
import { newDataDir, type RunningProcess, startProcess } from '../../support/process.ts'
import { type Target, untilStarted } from './target.ts'

export const operatorToken = 'an-operator-token-for-histories-0123456789'

const shownCharacters = 3000
export const settings = {
  OPERATOR_TOKEN: operatorToken,
  SKEIN_STARTER: 'off',
  LOG_LEVEL: 'warn',
  WEBHOOK_RATE_PER_MINUTE: '0',
  INSTALLATION_POINTS_PER_MINUTE: '0',
  WORKSPACE_POINTS_PER_MINUTE: '0',
  EVENT_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
  EVENT_TIMEOUT_SECONDS: '2',
  ENCRYPTION_KEY: Buffer.alloc(32, 'k').toString('base64'),
}

export type ServiceProcess = Target & {
  dataDir: string
  /** Returns the URL since the latest start. Each start uses another port. */
  url: () => string
  /** Returns what it has printed since the first start. */
  output: () => string
  /** Whether it has exited although nobody killed or stopped it. */
  crashed: () => boolean
  stop: () => Promise<unknown>
}

/** Starts the service in a process that keeps its data directory when it is killed. */
export async function startServiceProcess(
  name: string,
  env: Record<string, string>,
): Promise<ServiceProcess> {
  const dataDir = await newDataDir()
  const all = { ...settings, ...env, DATA_DIR: dataDir }
  let running: RunningProcess
  let [earlier, isEnding, crashed] = ['', false, false]
  const start = async () => {
    running = await untilStarted(() => startProcess(all))
    isEnding = false
    running.child.once('exit', () => {
      if (isEnding) return
      crashed = true
      process.stdout.write(`${name} exited by itself:\n${running.output().slice(-shownCharacters)}\n`)
    })
  }
  const kill = async () => {
    isEnding = true
    if (running.child.kill('SIGKILL')) await once(running.child, 'close')
    earlier += running.output()
  }
  const stop = async () => {
    isEnding = true
    if (running.child.signalCode === null) await running.stop()
  }
  await start()
  const output = () => earlier + running.output()
  return { name, dataDir, kill, start, url: () => running.url, output, crashed: () => crashed, stop }
}
