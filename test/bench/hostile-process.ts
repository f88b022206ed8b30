import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, Connection } from './connection.ts'
import { type Hostile, type Hostility, hostilities } from './hostilities.ts'

// Runs in its own process, because reading long responses would delay the timers of the measurement.

export type Assault = { url: string; hostility: Hostility; connections: number; hostiles: Hostile[] }

const answered: Record<string, number> = {}
const pauseAfterFailureMs = 50

async function assault({ url, hostility }: Assault, hostile: Hostile): Promise<never> {
  const connection = new Connection(url)
  while (true) {
    const outcome = await connection.send(hostilities[hostility](hostile)).then(outcomeOf, () => 'failed')
    answered[outcome] = (answered[outcome] ?? 0) + 1
    if (outcome === 'failed') await sleep(pauseAfterFailureMs)
  }
}

/** GraphQL reports many failures with status 200. */
function outcomeOf({ status, body }: Answer): string {
  const code = /"code":"(\w+)"/.exec(body)?.[1]
  return code ?? String(status)
}

process.once('message', (given: Assault) => {
  const { connections, hostiles } = given
  for (let number = 0; number < connections; number++) {
    void assault(given, hostiles[number % hostiles.length] as Hostile)
  }
  process.once('message', () => process.send?.(answered, () => process.exit()))
})
process.once('disconnect', () => process.exit())
