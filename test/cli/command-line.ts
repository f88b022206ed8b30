import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { programOf } from '../../src/cli/program.ts'

export type Outcome = { code: number; stdout: string; stderr: string }

/** The command line for the server at `url`. Commands are given as one text, a word a blank, or as words. */
export function commandLine(url: string, token: string) {
  /** A process of its own, with nothing of our environment. */
  const spawned = (command: string | string[], env: Record<string, string> = {}) =>
    new Promise<Outcome>((resolve) => {
      execFile(
        process.execPath,
        ['--import', 'tsx', 'src/cli/main.ts', ...wordsOf(command)],
        {
          cwd: join(import.meta.dirname, '../..'),
          env: { PATH: process.env.PATH, BASE_URL: url, OPERATOR_TOKEN: token, ...env },
        },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      )
    })
  /** What a command says to people, without the second that a process takes. */
  const text = async (command: string | string[]) => {
    const written: string[] = []
    const program = programOf({ env: { OPERATOR_TOKEN: token }, write: (text) => written.push(text) })
    await program.parseAsync(['--url', url, ...wordsOf(command)], { from: 'user' })
    return written.join('')
  }
  /** What it says to programs. */
  const json = async (command: string | string[]) => JSON.parse(await text([...wordsOf(command), '--json']))
  return { spawned, text, json }
}

function wordsOf(command: string | string[]): string[] {
  return typeof command === 'string' ? command.split(' ').filter(Boolean) : command
}
