import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from './at-end.ts'
import { freePort } from './process.ts'

/** Debian's Alertmanager. */
export const program = 'prometheus-alertmanager'

/** The address that Alertmanager puts into its links. */
export const externalURL = 'http://alertmanager.example.com'

/** An alert of Alertmanager's API. It fires until `endsAt`. */
export type PostedAlert = {
  labels: Record<string, string>
  annotations?: Record<string, string>
  startsAt?: string
  endsAt?: string
  generatorURL?: string
}

type Receivers = {
  /** Where the alerts are sent to, as a webhook or in the format of Slack. */
  webhookURL?: string
  slackURL?: string
  groupBy?: string[]
  maxAlerts?: number
}

/** Returns a configuration with one receiver, to which the alerts are sent at once. */
export function alertmanagerConfig({ webhookURL, slackURL, groupBy, maxAlerts }: Receivers): string {
  const webhooks = webhookURL ? [{ url: webhookURL, max_alerts: maxAlerts ?? 0 }] : []
  const slacks = slackURL ? [{ api_url: slackURL, send_resolved: true }] : []
  const route = {
    receiver: 'chat',
    group_by: groupBy ?? ['alertname'],
    group_wait: '0s',
    group_interval: '200ms',
  }
  const receivers = [{ name: 'chat', webhook_configs: webhooks, slack_configs: slacks }]
  return JSON.stringify({ route, receivers }) // JSON is YAML, too
}

export type Alertmanager = { post: (alerts: PostedAlert[]) => Promise<void> }

/** Starts Debian's Alertmanager on a free loopback port. It stops after the test, or after the tests of the file. */
export async function startAlertmanager(config: string): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'skein-alertmanager-'))
  const configFile = join(folder, 'alertmanager.yml')
  await writeFile(configFile, config)
  const address = `127.0.0.1:${await freePort()}`
  const settings = {
    'config.file': configFile,
    'storage.path': join(folder, 'data'),
    'web.listen-address': address,
    'web.external-url': externalURL,
    'cluster.listen-address': '',
  }
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const closed = once(child, 'close')
  atEnd(async () => {
    child.kill('SIGTERM')
    await closed
    await rm(folder, { recursive: true })
  })
  while (!(await isReady(address))) {
    if (child.exitCode !== null) throw new Error(`Alertmanager exited: ${log}`)
    await sleep(20)
  }
  return { post: (alerts) => postAlerts(address, alerts) }
}

async function postAlerts(address: string, alerts: PostedAlert[]): Promise<void> {
  const answer = await fetch(`http://${address}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(alerts),
  })
  if (!answer.ok) throw new Error(`Alertmanager answered ${answer.status}: ${await answer.text()}`)
}

function isReady(address: string): Promise<boolean> {
  return fetch(`http://${address}/-/ready`).then(
    (answer) => answer.ok,
    () => false,
  )
}
