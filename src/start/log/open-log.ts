import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import { logOptions } from './log-options.ts'
import { LogOutput, nonBlockingStdout } from './log-output.ts'
import { terminalLine } from './terminal-lines.ts'

export type Log = {
  log: Logger
  isTerminal: boolean
  say: (text: string) => void
}

/** Opens the log on standard output: text on a terminal, otherwise JSON. It is flushed when the process exits. */
export function openLog(): Log {
  const isTerminal = isatty(1)
  const colors = isTerminal && process.stdout.hasColors()
  const format = isTerminal ? (json: string) => terminalLine(json, colors) : (json: string) => json
  const output = new LogOutput(nonBlockingStdout(), (dropped) => format(noticeOf(dropped)))
  const log = pino(logOptions, { write: (json: string) => output.write(format(json)) })
  process.on('exit', () => output.flushSync())
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'uncaught exception: the process exits')
    process.exit(1)
  })
  const say = (text: string) => {
    output.write(text)
    output.flush()
  }
  return { log, isTerminal, say: isTerminal ? say : () => undefined }
}

function noticeOf(dropped: number): string {
  const msg = 'log lines were dropped because nothing read them'
  return `${JSON.stringify({ level: 40, time: Date.now(), dropped, msg })}\n`
}
