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
