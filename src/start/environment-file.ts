import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

type Environment = Record<string, string | undefined>

/**
 * Reads `.env` in the working directory, if it exists, into the environment. A variable that is already set wins.
 * Returns warnings about lines that it cannot read. No warning has the text of a line, which can be a secret.
 */
export function readEnvironmentFile(env: Environment): string[] {
  const { text, strayLines } = withoutStrayLines(readText().replace(/^\uFEFF/, ''))
  for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value
  return strayLines.map((line) => `.env, line ${line}: this is not read, because it has no "="`)
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
    'This user may not read the file .env in the working directory. Change its permissions, or remove it.',
  EISDIR: 'In the working directory, .env is a directory and not a file. Rename or remove it.',
}

/** A comment, the beginning of an assignment with all lines of a quoted value, or a line without an assignment. */
const parts = /^[ \t]*#.*$|=[ \t]*(["'`])[\s\S]*?\1|^([^=\n]*[^=\s][^=\n]*)$/gm

/** Node.js would take a line without "=" for a part of the name in the next line. */
function withoutStrayLines(source: string): { text: string; strayLines: number[] } {
  const strayLines: number[] = []
  const text = source.replace(parts, (part: string, _quote, stray: string | undefined, offset: number) => {
    if (stray === undefined) return part
    strayLines.push(source.slice(0, offset).split('\n').length)
    return ''
  })
  return { text, strayLines }
}
