import {
  escapeControlCharacters,
  escapeControlCharactersInLines,
} from '../../text/escape-control-characters.ts'

const dim = '2'
const levels: { [level: number]: { name: string; color: string } } = {
  10: { name: 'TRACE', color: dim },
  20: { name: 'DEBUG', color: dim },
  30: { name: 'INFO ', color: '32' },
  40: { name: 'WARN ', color: '33' },
  50: { name: 'ERROR', color: '31' },
  60: { name: 'FATAL', color: '31;1' },
}

type LogLine = { level: number; time: number; msg?: string; err?: { stack?: string } | string }

/** Formats a JSON line of the log for a terminal: `12:01:22 INFO  request method=GET status=200`. */
export function terminalLine(json: string, colors: boolean): string {
  const { level, time, msg = '', ...fields } = JSON.parse(json) as LogLine
  const stack = typeof fields.err === 'object' ? fields.err.stack : undefined
  if (stack) delete fields.err
  const paint = (code: string, text: string) => (colors ? `\u001b[${code}m${text}\u001b[0m` : text)
  const { name, color } = levels[level] ?? { name: String(level), color: dim }
  const pairs = Object.entries(fields).map(([key, value]) => `${paint(dim, `${key}=`)}${shown(value)}`)
  const clock = paint(dim, new Date(time).toTimeString().slice(0, 8))
  const line = [clock, paint(color, name), escapeControlCharacters(msg), ...pairs].join(' ')
  return `${line}\n${stack ? `${escapeControlCharactersInLines(stack).replace(/^/gm, '    ')}\n` : ''}`
}

function shown(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value)
  return escapeControlCharacters(isPlain ? value : JSON.stringify(value))
}
