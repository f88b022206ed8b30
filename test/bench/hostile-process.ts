import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, Connection } from './connection.ts'
import { floods } from './floods.ts'
import { type Hostile, type Hostility, hostilities } from './hostilities.ts'

// Runs in its own process, because reading long responses would delay the timers of the measurement.

export type Assault = { url: string; kind: Hostility | keyof typeof floods; hostile: Hostile }

const connections = 100
const pauseAfterFailureMs = 50
const answered: Record<string, number> = {}

function count(outcome: string): void {
  answered[outcome] = (answered[outcome] ?? 0) + 1
}

async function assault({ url, kind, hostile }: Assault): Promise<void> {
  if (kind in hostilities) {
    for (let number = 0; number < connections; number++) void send(url, kind as Hostility, hostile)
    return
  }
  const flood = floods[kind as keyof typeof floods]
  while (true) await flood(url, hostile.world, hostile.threads, () => count('flooded')).catch(() => failed())
}

async function send(url: string, hostility: Hostility, hostile: Hostile): Promise<never> {
  const connection = new Connection(url)
  while (true)
    await connection.send(hostilities[hostility](hostile)).then((answer) => count(outcomeOf(answer)), failed)
}

async function failed(): Promise<void> {
  count('failed')
  await sleep(pauseAfterFailureMs)
}

/** GraphQL reports many failures with status 200. */
function outcomeOf({ status, body }: Answer): string {
  const code = /"code":"(\w+)"/.exec(body)?.[1]
  return code ?? String(status)
}

process.once('message', (given: Assault) => {
  void assault(given)
  process.once('message', () => process.send?.(answered, () => process.exit()))
})
process.once('disconnect', () => process.exit())
