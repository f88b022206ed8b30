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
  remove: () => Promise<void>
}

/** Starts one process with the embedded database. */
export async function deployEmbedded(random: Random): Promise<Deployment> {
  return deploymentOf([await startServiceProcess('the process', {})], await startReceiver(random))
}

/** Starts two processes with a PostgreSQL server. */
export async function deployOnServer(random: Random): Promise<Deployment> {
  const server = await openServer(random)
  const start = (name: string) => startServiceProcess(name, { DATABASE_URL: server.url })
  const processes = [await start('process 1'), await start('process 2')]
  const deployment = deploymentOf(processes, await startReceiver(random))
  return {
    ...deployment,
    targets: [...deployment.targets, ...server.targets],
    remove: async () => {
      await deployment.remove()
      await server.remove()
    },
  }
}

function deploymentOf(processes: ServiceProcess[], receiver: Receiver): Deployment {
  return {
    targets: [...processes, receiver],
    receiver,
    url: (random) => processes[random.below(processes.length)]?.url() ?? '',
    output: () => processes.map(({ output }) => output()).join(''),
    crashed: () => processes.filter(({ crashed }) => crashed()).map(({ name }) => name),
    remove: async () => void (await Promise.all([...processes, receiver].map(({ stop }) => stop()))),
  }
}
