import { type Cluster, startCluster } from '../../support/cluster.ts'
import { onServer, urlOf } from '../../support/global-setup.ts'
import { findPrograms } from '../../support/server-programs.ts'
import type { Random } from '../random.ts'
import { type Target, untilStarted } from './target.ts'

/** An empty database on a PostgreSQL server. There is no target if the server cannot be killed. */
export type DatabaseServer = { url: string; targets: Target[]; remove: () => Promise<unknown> }

const givenServer = process.env.TEST_DATABASE_URL
const hasPrograms = (await findPrograms()) !== undefined

export const hasServer = hasPrograms || givenServer !== undefined

/** Starts a server. If its programs are missing, uses the server of `TEST_DATABASE_URL`, which cannot be killed. */
export async function openServer(random: Random): Promise<DatabaseServer> {
  if (!hasPrograms) return createDatabase(givenServer ?? '')
  const cluster = await startCluster()
  return { url: cluster.url, targets: [serverTarget(cluster, random)], remove: cluster.remove }
}

async function createDatabase(serverURL: string): Promise<DatabaseServer> {
  const name = `skein_faults_${process.pid}`
  await onServer(serverURL, `CREATE DATABASE ${name}`)
  const remove = () => onServer(serverURL, `DROP DATABASE ${name} WITH (FORCE)`)
  return { url: urlOf(serverURL, name), targets: [], remove }
}

/** Kills all processes of the server, or only one. If only one is killed, the server restarts all others by itself. */
function serverTarget(cluster: Cluster, random: Random): Target {
  let isDown = false
  return {
    name: 'PostgreSQL',
    kill: async () => {
      isDown = random.below(2) === 0
      await cluster.kill(isDown ? 'all' : 'backend')
    },
    start: async () => {
      if (isDown) await untilStarted(() => cluster.start())
    },
  }
}
