import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../../src')
const sheets = ['console', 'explorer'].flatMap((folder) =>
  readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => join(folder, file)),
)

/** The left or the right side, also as the second and fourth of four values. */
const physical =
  /(?:^|[{;])\s*(?:[\w-]*\b(?:left|right)\b[\w-]*\s*:|(?:padding|margin|inset)\s*:(?:\s+[^\s;]+){4};|text-align\s*:\s*(?:left|right))/

test('style sheets name the start and the end of a line, not left and right', () => {
  const lines = sheets.flatMap((sheet) =>
    readFileSync(join(source, sheet), 'utf8')
      .split('\n')
      .filter((line) => physical.test(line))
      .map((line) => `${sheet}: ${line.trim()}`),
  )
  expect(sheets.length).toBeGreaterThan(20)
  expect(lines).toEqual([])
})

/** The hue of a person comes from their ID. */
const dyed = 'console/page/avatar.module.css'
const literals = {
  color: /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i,
  'font size': /\bfont-size:(?! (?:var\(--text-|calc\(var\(--size|inherit))/,
  corner: /border-radius:(?! (?:var\(--r-|50%|0;|inherit))/,
  duration: /(?<![\w.-])(?!0s\b)[\d.]+m?s\b/,
}

test.each(Object.entries(literals))('only the tokens have a %s as a value', (kind, literal) => {
  const lines = sheets
    .filter((sheet) => sheet !== 'console/tokens.css' && !(kind === 'color' && sheet === dyed))
    .flatMap((sheet) =>
      // A selector can have an ID that looks like a color, and a comment can say how long something takes.
      readFileSync(join(source, sheet), 'utf8')
        .replace(/\/\*.*?\*\//gs, '')
        .split('\n')
        .filter((line) => literal.test(line) && !line.trimEnd().endsWith('{'))
        .map((line) => `${sheet}: ${line.trim()}`),
    )
  expect(lines).toEqual([])
})
