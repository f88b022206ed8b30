import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

type Environment = Record<string, string | undefined>

/** Reads `.env` into variables that are not set. Warnings do not quote a line, because it can contain a secret. */
export function readEnvironmentFile(env: Environment): string[] {
  const { text, strayLines } = withoutStrayLines(readText().replace(/^\uFEFF/, ''))
  for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value
  return strayLines.map((line) => `.env, line ${line}: ignored, because it has no "="`)
}

function readText(): string {
  try {
    return readFileSync('.env', 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    throw new Error(problems[code ?? ''] ?? `The file .env cannot be read (${code}).`)
  }
}

const problems: { [code: string]: string } = {
  EACCES:
    'This user cannot read the file .env in the working directory. Change its permissions, or remove it.',
  EISDIR: '.env in the working directory is a directory, not a file. Rename or remove it.',
}

const comment = /^[ \t]*#.*$/
const quotedValue = /=[ \t]*(["'`])[\s\S]*?\1/
const strayLine = /^([^=\n]*[^=\s][^=\n]*)$/
// Comments and quoted values come first, because a line without "=" that belongs to one of them is not a stray line.
const parts = new RegExp([comment, quotedValue, strayLine].map(({ source }) => source).join('|'), 'gm')

// Node would read a line without "=" as a part of the name in the next line.
function withoutStrayLines(source: string): { text: string; strayLines: number[] } {
  const strayLines: number[] = []
  const text = source.replace(parts, (part: string, _quote, stray: string | undefined, offset: number) => {
    if (stray === undefined) return part
    strayLines.push(source.slice(0, offset).split('\n').length)
    return ''
  })
  return { text, strayLines }
}
