import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { repository } from '../support/process.ts'

const { digestOf }: { digestOf: (root: string) => string } = await import(
  join(repository, '.config/digest.mjs')
)

let root = ''
let before = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'skein-test-'))
  await mkdir(join(root, 'src/generated'), { recursive: true })
  await writeFile(join(root, 'src/main.ts'), 'one')
  await writeFile(join(root, 'package-lock.json'), '{}')
  before = digestOf(root)
  return () => rm(root, { recursive: true })
})

test.each([
  ['an edited source', () => writeFile(join(root, 'src/main.ts'), 'two')],
  ['a new source', () => writeFile(join(root, 'src/other.ts'), '')],
  ['a renamed source', () => rename(join(root, 'src/main.ts'), join(root, 'src/app.ts'))],
  ['another version of a package', () => writeFile(join(root, 'package-lock.json'), '{"a":1}')],
])('%s changes the digest, and therefore the next start builds again', async (_change, make) => {
  await make()
  expect(digestOf(root)).not.toBe(before)
})

test('modification times, generated files and tests do not change the digest', async () => {
  await utimes(join(root, 'src/main.ts'), 1, 1)
  await writeFile(join(root, 'src/generated/version.ts'), '')
  await mkdir(join(root, 'test'))
  await writeFile(join(root, 'test/main.test.ts'), '')
  expect(digestOf(root)).toBe(before)
})
