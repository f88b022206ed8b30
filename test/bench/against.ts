import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { output } from './bench.ts'
import { atEnd } from './closing.ts'
import type { Contestant, Row, Stage } from './rounds.ts'

const atMost = 1.05

type Contestants = Record<string, Contestant>

/**
 * Compares the loads of a stage with the same loads of another built checkout, on the same PostgreSQL server. The bench
 * of the other checkout starts and fills its service, because its tables can be different. Loads have the same
 * name in both.
 */
export async function besideCheckout(folder: string, stage: Stage, rows: Row[]): Promise<Stage> {
  const checkout = resolve(folder)
  const commit = (await output('git', ['rev-parse', '--short', 'HEAD'], { cwd: checkout })).trim()
  const theirs = await stageLike(stage, join(checkout, 'test/bench/rows'))
  const theirSubjects = new Set(theirs?.rows.map(({ subject }) => subject))
  const isCompared = ({ subject, against, ratio }: Row) =>
    against !== undefined && ratio === undefined && theirSubjects.has(subject)
  const compared = rows.filter(isCompared).filter(isFirstOfSubject)
  const names = new Set(compared.map(({ subject }) => subject))
  const theirName = (name: string) => `${name} of ${commit}`
  const { scoped } = (await import(join(checkout, 'test/bench/closing.ts'))) as { scoped: Scoped }
  return {
    rows: compared.map((row) => ({
      ...row,
      baselines: [theirName(row.subject)],
      against: `the same of commit ${commit}`,
      atMost,
    })),
    async prepare(bench) {
      const others = await keepOpen(scoped, async () => (await theirs?.prepare(bench, names)) ?? {})
      const renamed = Object.entries(others).map(([name, contestant]) => [theirName(name), contestant])
      return { ...(await stage.prepare(bench, names)), ...Object.fromEntries(renamed) }
    },
  }
}

const isFirstOfSubject = ({ subject }: Row, index: number, rows: Row[]) =>
  rows.findIndex((row) => row.subject === subject) === index

/** Returns the stage of the other checkout that has loads of this stage. */
async function stageLike({ rows }: Stage, folder: string): Promise<Stage | undefined> {
  const subjects = new Set(rows.map(({ subject }) => subject))
  for (const file of await readdir(folder)) {
    const exported = Object.values(await import(join(folder, file))) as Partial<Stage>[]
    for (const stage of exported) {
      if (stage.rows?.some(({ subject }) => subjects.has(subject))) return stage as Stage
    }
  }
  return undefined
}

type Scoped = (run: () => Promise<void>) => Promise<void>

/** Prepares contestants in a scope of the other checkout, which ends with the current scope of this one. */
function keepOpen(scoped: Scoped, prepare: () => Promise<Contestants>): Promise<Contestants> {
  return new Promise((resolve, reject) => {
    const scope: Promise<void> = scoped(async () => {
      resolve(await prepare())
      await new Promise<void>((end) => {
        atEnd(() => {
          end()
          return scope
        })
      })
    })
    scope.catch(reject)
  })
}
