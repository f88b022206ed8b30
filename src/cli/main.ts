#!/usr/bin/env node
import { CommanderError } from 'commander'
import { harmlessLines } from './print.ts'
import { programOf } from './program.ts'

// Who reads only the beginning, as head does, has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  await programOf({ env: process.env, write: (text) => void process.stdout.write(text) }).parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}

/** 2 where the command line cannot be understood, which commander has said already, and 1 for all other failures. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  process.stderr.write(`${harmlessLines(error instanceof Error ? error.message : String(error))}\n`)
  return 1
}
