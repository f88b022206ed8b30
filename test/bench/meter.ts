import { readFileSync, writeFileSync } from 'node:fs'
import type { Cluster } from './cluster.ts'

const ticksPerSecond = 100

/** The cost of a run, as the kernel counts it. */
export type Cost = {
  /** Processor time of the service's processes, in seconds. */
  serviceSeconds: number
  /** Processor time of the database: 0 without a database, and undefined if the bench did not start it. */
  databaseSeconds: number | undefined
  /** The largest resident memory of one of the service's processes. */
  peakMiB: number
  /** The largest growth of the resident memory of one process since the start of the run. */
  grownMiB: number
}

/** Starts measuring. The returned function ends the measurement. */
export function startMeter(pids: number[], cluster?: Pick<Cluster, 'postmaster'>): () => Cost {
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const memory = pids.map((pid) => memoryMiB(pid, 'VmRSS'))
  const service = secondsOf(pids)
  const secondsOfDatabase = () => (cluster ? cluster.postmaster && databaseSeconds(cluster.postmaster) : 0)
  const database = secondsOfDatabase()
  return () => {
    const peaks = pids.map((pid) => memoryMiB(pid, 'VmHWM'))
    return {
      serviceSeconds: secondsOf(pids) - service,
      databaseSeconds: database === undefined ? undefined : (secondsOfDatabase() ?? 0) - database,
      peakMiB: Math.max(0, ...peaks),
      grownMiB: Math.max(0, ...peaks.map((peak, index) => peak - (memory[index] ?? 0))),
    }
  }
}

export function memoryMiB(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
}

function secondsOf(pids: number[]): number {
  return pids.reduce((sum, pid) => sum + (processorSeconds(pid)?.own ?? 0), 0)
}

/** The processor time of the ended children of this process. */
export function endedSeconds(): number {
  return processorSeconds(process.pid)?.ended ?? 0
}

/** Includes ended children. The kernel counts their time for the postmaster. */
function databaseSeconds(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ')
  const living = secondsOf(children.filter((pid) => pid !== '').map(Number))
  const { own, ended } = processorSeconds(postmaster) ?? { own: 0, ended: 0 }
  return own + ended + living
}

/** proc(5): utime, stime, cutime and cstime. The process name before them can contain spaces. */
function processorSeconds(pid: number): { own: number; ended: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15)
    return { own: (utime + stime) / ticksPerSecond, ended: (cutime + cstime) / ticksPerSecond }
  } catch {
    return undefined
  }
}
