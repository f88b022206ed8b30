import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Whether the tests with a program run: if it is installed, and always in CI, where they fail without it. */
export function isTested(program: string, argument = '--version'): boolean {
  return process.env.CI !== undefined || spawnSync(program, [argument]).status === 0
}

/** Runs a program to its end, and returns the JSON that it printed. */
export async function jsonFrom(program: string, args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(program, args)
  return JSON.parse(stdout)
}
