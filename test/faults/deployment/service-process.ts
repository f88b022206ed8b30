import { once } from 'node:events'
import { newDataDir, type RunningProcess, startProcess } from '../../support/process.ts'
import { type Target, untilStarted } from './target.ts'

export const operatorToken = 'an-operator-token-for-histories-0123456789'

const settings = {
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
  /** Each start has another port. */
  url: () => string
  /** Returns what it has printed since the first start. */
  output: () => string
  stop: () => Promise<unknown>
}

/** Starts the service in a process that keeps its data directory when it is killed. */
export async function startServiceProcess(
  name: string,
  env: Record<string, string>,
): Promise<ServiceProcess> {
  const all = { ...settings, ...env, DATA_DIR: await newDataDir() }
  let running: RunningProcess = await startProcess(all)
  let earlier = ''
  return {
    name,
    kill: async () => {
      running.child.kill('SIGKILL')
      await once(running.child, 'close')
      earlier += running.output()
    },
    start: async () => {
      running = await untilStarted(() => startProcess(all))
    },
    url: () => running.url,
    output: () => earlier + running.output(),
    stop: async () => void (running.child.signalCode ?? (await running.stop())),
  }
}
