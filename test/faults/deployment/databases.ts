import type { Random } from '../random.ts'
import { hasServer } from './database-server.ts'
import { type Deployment, deployEmbedded, deployOnServer } from './deployment.ts'

/** The minimum length of a history. */
export const seconds = Number(process.env.FAULT_SECONDS ?? 8)
export const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)
/** On a slow machine, the clients need a long time for the changes that they must make between two faults. */
export const timeoutMs = 10 * seconds * 1000 + 600_000

const chosen = process.env.FAULT_DATABASE
const isChosen = (name: string) => (chosen ?? name) === name

/** The databases on which histories run. */
export const databases: {
  name: string
  isChosen: boolean
  deploy: (random: Random) => Promise<Deployment>
}[] = [
  { name: 'embedded', isChosen: isChosen('embedded'), deploy: deployEmbedded },
  { name: 'server', isChosen: hasServer && isChosen('server'), deploy: deployOnServer },
]
