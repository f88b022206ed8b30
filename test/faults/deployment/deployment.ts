import type { Random } from '../random.ts'
import { openServer } from './database-server.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import type { Target } from './target.ts'

/** The processes of the service, and their database. */
export type Deployment = {
  targets: Target[]
  /** Returns the URL of one of the processes, which can be dead. */
  url: (random: Random) => string
  /** Returns what all processes have printed. */
  output: () => string
  remove: () => Promise<void>
}

/** Starts one process with the embedded database. */
export async function deployEmbedded(): Promise<Deployment> {
  return deploymentOf([await startServiceProcess('the process', {})])
}

/** Starts two processes with a PostgreSQL server. */
export async function deployOnServer(random: Random): Promise<Deployment> {
  const server = await openServer(random)
  const start = (name: string) => startServiceProcess(name, { DATABASE_URL: server.url })
  const deployment = deploymentOf([await start('process 1'), await start('process 2')])
  return {
    ...deployment,
    targets: [...deployment.targets, ...server.targets],
    remove: async () => {
      await deployment.remove()
      await server.remove()
    },
  }
}

function deploymentOf(processes: ServiceProcess[]): Deployment {
  return {
    targets: processes,
    url: (random) => processes[random.below(processes.length)]?.url() ?? '',
    output: () => processes.map(({ output }) => output()).join(''),
    remove: async () => void (await Promise.all(processes.map(({ stop }) => stop()))),
  }
}
