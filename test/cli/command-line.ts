import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'

export type Outcome = { code: number; stdout: string; stderr: string }

/** The command line as a process of its own, with this environment and nothing else of ours. */
export function commandLine(env: Record<string, string>) {
  /** Runs a command, given as one text (a word a blank) or as words. */
  const run = (words: string | string[], more: Record<string, string> = {}) =>
    new Promise<Outcome>((resolve) => {
      const given = typeof words === 'string' ? words.split(' ').filter(Boolean) : words
      execFile(
        process.execPath,
        ['--import', 'tsx', 'src/cli/main.ts', ...given],
        { cwd: join(import.meta.dirname, '../..'), env: { PATH: process.env.PATH, ...env, ...more } },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      )
    })
  /** What a command that succeeds says to people. */
  const text = async (words: string | string[]) => {
    const { stdout, ...rest } = await run(words)
    expect(rest).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  /** What a command that succeeds says to programs. */
  const json = async (words: string | string[]) =>
    JSON.parse(await text([...(typeof words === 'string' ? words.split(' ') : words), '--json']))
  return { run, text, json }
}
