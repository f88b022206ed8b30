import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { onServer } from '../../support/global-setup.ts'
import type { Random } from '../random.ts'
import { openServer } from './database-server.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import type { Target } from './target.ts'

/** The processes of the service, and their database. */
export type Deployment = {
  targets: Target[]
  /** Returns the URL of one of the processes. The process can be dead. */
  url: (random: Random) => string
  /** Returns what all processes have printed. */
  output: () => string
  /** Returns the names of the processes that exited by themselves. */
  crashed: () => string[]
  /** Receives events of the service. */
  receiver: Receiver
  /** Runs SQL statements in the database, while the service does nothing. */
  runSQL: (statements: string[]) => Promise<void>
  /**
   * Keeps what a user writes uncommitted until the returned function is called. Does nothing if the database has only one
   * connection.
   */
  holdCommits: (userID: string) => Promise<() => Promise<void>>
  remove: () => Promise<void>
}

/** Starts one process with the embedded database. */
export async function deployEmbedded(random: Random): Promise<Deployment> {
  const process = await startServiceProcess('the process', {})
  const runSQL = (statements: string[]) => runInDirectory(process, statements)
  return deploymentOf([process], await startReceiver(random), runSQL)
}

/** Starts two processes with a PostgreSQL server. */
export async function deployOnServer(random: Random): Promise<Deployment> {
  const server = await openServer(random)
  const start = (name: string) => startServiceProcess(name, { DATABASE_URL: server.url })
  const processes = [await start('process 1'), await start('process 2')]
  const runSQL = async (statements: string[]) => void (await onServer(server.url, statements.join('; ')))
  const deployment = deploymentOf(processes, await startReceiver(random), runSQL)
  return {
    ...deployment,
    holdCommits: (userID) => lockUser(server.url, userID),
    targets: [...deployment.targets, ...server.targets],
    remove: async () => {
      await deployment.remove()
      await server.remove()
    },
  }
}

// A statement checks last that the author of its messages exists. The server can be down, or be killed meanwhile.
async function lockUser(url: string, userID: string): Promise<() => Promise<void>> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  const end = () => client.end().catch(() => undefined)
  try {
    await client.connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [userID])
  } catch {
    await end()
  }
  return end
}

// Only one process can open the embedded database.
async function runInDirectory({ kill, start, dataDir }: ServiceProcess, statements: string[]): Promise<void> {
  await kill()
  const database = await PGlite.create(join(dataDir, 'db'))
  await database.exec(statements.join('; '))
  await database.close()
  await start()
}

function deploymentOf(
  processes: ServiceProcess[],
  receiver: Receiver,
  runSQL: Deployment['runSQL'],
): Deployment {
  return {
    runSQL,
    holdCommits: async () => async () => undefined,
    targets: [...processes, receiver],
    receiver,
    url: (random) => processes[random.below(processes.length)]?.url() ?? '',
    output: () => processes.map(({ output }) => output()).join(''),
    crashed: () => processes.filter(({ crashed }) => crashed()).map(({ name }) => name),
    remove: async () => void (await Promise.all([...processes, receiver].map(({ stop }) => stop()))),
  }
}
