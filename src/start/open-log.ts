import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import { logOptions } from '../platform/log-options.ts'
import { LogOutput, nonBlockingStdout } from '../platform/log-output.ts'
import { terminalLine } from '../platform/terminal-lines.ts'

export type Log = {
  log: Logger
  /** Whether a person reads standard output. */
  isTerminal: boolean
  /** Shows text to that person at once; does nothing if there is none. */
  say: (text: string) => void
}

/**
 * Opens the log on standard output: lines for a person on a terminal, JSON otherwise. What is left in memory is written
 * when the process exits, also after an error that nothing catches.
 */
export function openLog(): Log {
  const isTerminal = isatty(1)
  const colors = isTerminal && process.stdout.hasColors()
  const format = isTerminal ? (json: string) => terminalLine(json, colors) : (json: string) => json
  const output = new LogOutput(nonBlockingStdout(), (dropped) => format(noticeOf(dropped)))
  const log = pino(logOptions, { write: (json: string) => output.write(format(json)) })
  process.on('exit', () => output.flushSync())
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'nothing caught this error, so the process ends')
    process.exit(1)
  })
  const say = (text: string) => {
    output.write(text)
    output.flush()
  }
  return { log, isTerminal, say: isTerminal ? say : () => undefined }
}

function noticeOf(dropped: number): string {
  const msg = 'lines of the log were dropped because nothing read them'
  return `${JSON.stringify({ level: 40, time: Date.now(), dropped, msg })}\n`
}
