import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { repository } from '../support/process.ts'

type Parts = {
  partNames: string[]
  digestOfPart: (name: string, folder: string) => string
  replaceFolder: (from: string, to: string) => void
}
const { partNames, digestOfPart, replaceFolder }: Parts = await import(join(repository, '.config/parts.mjs'))

let folder = ''

const write = async (file: string, content: string) => {
  await mkdir(dirname(join(folder, file)), { recursive: true })
  await writeFile(join(folder, file), content)
}

/** Returns the parts that are built again after the change. */
async function changedBy(change: () => Promise<void>): Promise<string[]> {
  const digests = () => partNames.map((name) => digestOfPart(name, folder))
  const before = digests()
  await change()
  const after = digests()
  return partNames.filter((_name, index) => before[index] !== after[index])
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skein-test-'))
  await write('src/main.ts', 'one')
  await write('package-lock.json', '{}')
  return () => rm(folder, { recursive: true })
})

test.each([
  ['src/main.ts', ['code']],
  ['src/threads/threads.graphql', ['schema', 'code', 'webApp']],
  ['src/text/fold.ts', ['code', 'webApp']],
  ['src/console/main.tsx', ['webApp']],
  ['src/console/tokens.css', ['explorer', 'webApp']],
  ['src/explorer/page.tsx', ['explorer']],
  ['prisma/schema.prisma', ['rows', 'code']],
  ['prisma/migrations/1_one/migration.sql', ['database']],
  ['package-lock.json', partNames],
  ['.config/run.mjs', partNames],
])('a change of %s builds %s again', async (file, names) => {
  expect(await changedBy(() => write(file, 'two'))).toEqual(names)
})

test.each([
  'src/generated/version.ts',
  'test/main.test.ts',
  'docs/threads.md',
])('a change of %s builds nothing again', async (file) => {
  expect(await changedBy(() => write(file, 'two'))).toEqual([])
})

test('another modification time builds nothing again', async () => {
  expect(await changedBy(() => utimes(join(folder, 'src/main.ts'), 1, 1))).toEqual([])
})

test('a folder that is built again has no files of the build before', async () => {
  await write('built/page-2.css', 'new')
  await write('served/page-1.css', 'old')
  replaceFolder(join(folder, 'built'), join(folder, 'served'))
  expect(await readdir(join(folder, 'served'))).toEqual(['page-2.css'])
})
