import { createInterface } from 'node:readline/promises'
import { CommanderError } from 'commander'
import { readEnvironmentFile } from '../start/settings/environment-file.ts'
import { escapeControlCharactersInLines } from '../text/escape-control-characters.ts'
import { programOf } from './program.ts'
import type { Environment } from './server.ts'

/** Runs the command that the words name, and sets the exit code of the process. */
export async function runCommand(words: string[], env: Environment): Promise<void> {
  // A program such as head closes the pipe before it has read everything.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    for (const warning of readEnvironmentFile(env)) process.stderr.write(`${warning}\n`)
    const write = (text: string) => void process.stdout.write(text)
    await programOf({ env, write, ...(process.stdin.isTTY && { ask }) }).parseAsync(words, { from: 'user' })
  } catch (error) {
    process.exitCode = exitCodeOf(error)
  }
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

/** Returns 0 for help, 2 for a usage error and 1 for other failures. Commander prints help and usage errors itself. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  process.stderr.write(
    `${escapeControlCharactersInLines(error instanceof Error ? error.message : String(error))}\n`,
  )
  return 1
}
