import type { Change, History } from './history.ts'

export function acknowledged(changes: readonly Change[]): Change[] {
  return changes.filter(({ outcome }) => outcome === 'acknowledged')
}

/** Returns how much happened in a history, in one line. */
export function summaryOf({ changes, ordered, logs, readers }: History, kills: string[]): string {
  const unknown = changes.filter(({ outcome }) => outcome === 'unknown').length
  const events = logs.reduce((sum, log) => sum + log.events.length, 0)
  const seen = readers.flatMap(({ observations }) => observations.filter(({ event }) => event)).length
  const counted = [...new Set(kills)].map((name) => `${name} ${kills.filter((kill) => kill === name).length}`)
  return [
    `acknowledged ${acknowledged(changes).length}`,
    `unknown ${unknown}`,
    `events ${events}`,
    `seen ${seen}`,
    `threads with versions ${ordered.length}`,
    `kills: ${counted.join(', ')}`,
  ].join(' | ')
}

/** Returns the messages in the log of the service, without repetitions. */
export function distinctErrors(output: string): string {
  // The last line of a process that was killed can be incomplete.
  const lines = output.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
  const messages = lines.map((line): string => {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } }
    return [msg, ...(err ? [err.message] : [])].join(': ')
  })
  return [...new Set(messages)].join('\n')
}
