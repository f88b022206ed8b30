import { execFile } from 'node:child_process'
import { programOf } from '../../../src/cli/program.ts'
import { adminCommand, repository } from '../../support/process.ts'

export type Outcome = { code: number; stdout: string; stderr: string }

/** Runs commands on the server at `url`. A command is a list of words, or a string that is split at spaces. */
export function commandLine(url: string, token: string) {
  /** Runs the command in a new process, which does not inherit our environment. */
  const spawned = (command: string | string[], env: Record<string, string> = {}) =>
    new Promise<Outcome>((resolve) => {
      execFile(
        process.execPath,
        [...adminCommand, ...wordsOf(command)],
        {
          cwd: repository,
          env: { PATH: process.env.PATH, BASE_URL: url, OPERATOR_TOKEN: token, ...env },
        },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      )
    })
  /** Returns the text that the command prints. Runs in this process, because a new one takes a second. */
  const text = async (command: string | string[]) => {
    const written: string[] = []
    const program = programOf({ env: { OPERATOR_TOKEN: token }, write: (text) => written.push(text) })
    await program.parseAsync(['--url', url, ...wordsOf(command)], { from: 'user' })
    return written.join('')
  }
  /** Returns the JSON that the command prints. */
  const json = async (command: string | string[]) => JSON.parse(await text([...wordsOf(command), '--json']))
  return { spawned, text, json }
}

function wordsOf(command: string | string[]): string[] {
  return typeof command === 'string' ? command.split(' ').filter(Boolean) : command
}
