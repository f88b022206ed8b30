import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { nouns, tableOwners, viewOwners } from './support/table-owners.ts'

const transports = ['oauth', 'graphql', 'webhooks', 'transfers', 'signin']
/** The folders of the web app. The files beside them may import every folder. */
const consoleFolders = [
  'session',
  'text',
  'relay',
  'page',
  'keyboard',
  'emoji',
  'people',
  'composer',
  'thread',
  'group-details',
  'thread-details',
  'settings',
  'inbox',
  'groups',
  'new-thread',
  'search',
  'workspace',
]

/** What the web app and the explorer share with the service, besides the types that Relay generates. */
const sharedWithBrowser = [
  'platform/can-parse-url.ts',
  'scopes.ts',
  'text/blank.ts',
  'text/markdown/render-markdown.ts',
  'text/search/words.ts',
]

// The statement that writes a message also raises the last position of its thread.
const allowedWrites = new Set([
  'messages/send/append-statement.ts writes threads',
  'messages/thread-changes/events.ts writes threads',
])

// The first must run before the imports of its page. Each grant type has its own file.
const alone = /^explorer\/workers\.ts$|^oauth\/grants\/|\/(?:resolvers|rows)\.ts$/

const source = join(import.meta.dirname, '../src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated'))
  .map((file) => ({ file, folder: file.split('/')[0] ?? '', text: readFileSync(join(source, file), 'utf8') }))

/** Includes the imports of types and styles, and the modules that are loaded later. */
function importsOf({ file, text }: (typeof files)[number]) {
  const names = [...text.matchAll(/\b(?:from |import |import\(\s*)'([^']+)'/g)].map(([, name = '']) => name)
  const paths = names
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)))
  return { packages: names.filter((name) => !name.startsWith('.')), paths }
}

function offences(of: (file: (typeof files)[number], path: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .paths.filter((path) => of(file, path))
      .map((path) => `${file.file} imports ${path}`),
  )
}

const folderOf = (path: string) => (path.includes('/') ? (path.split('/')[0] ?? '') : '')

test('transports do not import each other', () => {
  const found = offences(
    ({ folder }, path) =>
      transports.includes(folder) && transports.includes(folderOf(path)) && folder !== folderOf(path),
  )
  expect(found).toEqual([])
})

test('nouns import neither transports nor server packages', () => {
  expect(
    offences(({ folder }, path) => nouns.includes(folder) && transports.includes(folderOf(path))),
  ).toEqual([])
  const served = files.filter(
    (file) =>
      nouns.includes(file.folder) &&
      importsOf(file).packages.some((name) => /^(fastify|mercurius)/.test(name)),
  )
  expect(served.map(({ file }) => file)).toEqual([])
})

test('a noun imports only the nouns before it', () => {
  const found = offences(
    ({ folder }, path) => nouns.includes(folder) && nouns.indexOf(folderOf(path)) > nouns.indexOf(folder),
  )
  const hint =
    'Move the code to the later noun: it can use "extend type", or pass a function to the earlier noun'
  expect(found, hint).toEqual([])
})

test('the folders platform, database, storage and text import no product code', () => {
  const platform = ['platform', 'database', 'storage', 'text']
  const found = offences(
    ({ folder }, path) => platform.includes(folder) && ![...platform, 'generated'].includes(folderOf(path)),
  )
  expect(found).toEqual([])
  expect(offences(({ folder }, path) => folder === 'platform' && folderOf(path) !== 'platform')).toEqual([])
})

test('only the CLI imports the TypeScript client, and the client imports no other code and no Node modules', () => {
  const isOwn = (path: string) => folderOf(path) === 'sdk' || path.startsWith('generated/sdk')
  expect(offences(({ folder }, path) => folder !== 'cli' && (folder === 'sdk') !== isOwn(path))).toEqual([])
  const own = files.filter(({ folder }) => folder === 'sdk')
  expect(own.length).toBeGreaterThan(0)
  expect(own.filter((file) => importsOf(file).packages.some((name) => name.startsWith('node:')))).toEqual([])
})

test('the CLI imports no nouns, no transports and no database code', () => {
  const allowed = ['cli', 'sdk', 'text', 'start', 'backup']
  const found = offences(
    ({ folder }, path) => folder === 'cli' && path !== 'scopes.ts' && !allowed.includes(folderOf(path)),
  )
  expect(found, 'Ask the service by GraphQL. The SDK exports the values of enums').toEqual([])
})

test('the web app and the explorer import only what they share with the service', () => {
  const isBrowser = (folder: string) => folder === 'console' || folder === 'explorer'
  const isMarkdown = (path: string) => dirname(path) === 'text/markdown'
  const isShared = (path: string) => sharedWithBrowser.includes(path) || isMarkdown(path)
  const isAllowed = (path: string) =>
    sharedWithBrowser.includes(path) || path.startsWith('generated/console/')
  const found = offences(
    ({ folder }, path) => isBrowser(folder) && folderOf(path) !== folder && !isAllowed(path),
  )
  expect(
    found,
    'Ask the service by GraphQL, or add a file without Node modules to sharedWithBrowser',
  ).toEqual([])
  expect(offences(({ file }, path) => isShared(file) && !isShared(path))).toEqual([])
  expect(offences(({ folder }, path) => !isBrowser(folder) && isBrowser(folderOf(path)))).toEqual([])
  const loaded = files.filter(({ file, folder }) => isBrowser(folder) || isShared(file))
  const nodeUsers = loaded.filter((file) => importsOf(file).packages.some((name) => name.startsWith('node:')))
  expect(nodeUsers.map(({ file }) => file)).toEqual([])
})

test('a folder of the web app imports only the folders before it', () => {
  const inConsole = files.filter(({ file }) => /^console\/.+\//.test(file))
  const folders = new Set(inConsole.map(({ file }) => file.split('/')[1] ?? ''))
  const newFolder = 'Add a new folder to consoleFolders, and to "Rules" in docs/architecture.md'
  expect([...folders].toSorted(), newFolder).toEqual(consoleFolders.toSorted())
  const floorOf = (path: string) => {
    const [, folder = '', ...rest] = path.split('/')
    return rest.length === 0 ? consoleFolders.length : consoleFolders.indexOf(folder)
  }
  const found = offences(
    ({ file, folder }, path) =>
      folder === 'console' && folderOf(path) === folder && floorOf(path) > floorOf(file),
  )
  expect(found, 'Move what both folders need to an earlier folder of consoleFolders').toEqual([])
})

test('no two folders of the web app import each other', () => {
  const arrows = new Set<string>()
  for (const file of files.filter(({ folder }) => folder === 'console')) {
    const [from, ...to] = [file.file, ...importsOf(file).paths].map((path) => dirname(path))
    for (const folder of to) if (folder !== from) arrows.add(`${from} ${folder}`)
  }
  const mutual = [...arrows].filter((arrow) => arrows.has(arrow.split(' ').reverse().join(' ')))
  expect(mutual).toEqual([])
})

test('only main.ts and check-settings.ts read process.env', () => {
  const readers = files.filter(({ text }) => text.includes('process.env')).map(({ file }) => file)
  const allowed = ['main.ts', 'start/settings/check-settings.ts']
  const hint = 'Add the variable to src/config.ts, and read it from the config'
  expect(
    readers.filter((file) => !allowed.includes(file)),
    hint,
  ).toEqual([])
})

test('a table is written only by the noun that owns it', () => {
  const written = files.flatMap(({ file, folder, text }) =>
    tablesWrittenIn(text)
      .filter((table) => tableOwners[table] !== folder)
      .map((table) => `${file} writes ${table}`),
  )
  const hint = 'Call a function of the owner, which tableOwners in test/support/table-owners.ts names'
  expect(
    written.filter((line) => !allowedWrites.has(line)),
    hint,
  ).toEqual([])
})

test('a noun names only its own tables and the tables of earlier nouns', () => {
  const owners = { ...tableOwners, ...viewOwners }
  const read = files.flatMap(({ file, folder, text }) =>
    tablesNamedIn(text)
      .filter((table) => nouns.indexOf(owners[table] ?? '') > nouns.indexOf(folder) && nouns.includes(folder))
      .map((table) => `${file} reads ${table}`),
  )
  expect(read, 'Move the statement to the later noun, or let it pass the condition as SQL').toEqual([])
})

test('every file that writes messages also notes the events', () => {
  const writes = /(?:INSERT INTO|UPDATE) messages\b|\b(?:db|tx)\.message\.(?:create|update|upsert)/
  const writers = files.filter(({ text }) => writes.test(text))
  expect(writers.map(({ file }) => file)).toContain('messages/send/insert-messages.ts')
  const notes = /\b(?:notingEvents?|insertMessages)\(/
  const hint = 'Add notingEvent of src/events/note-events.ts to the statement'
  expect(
    writers.filter(({ text }) => !notes.test(text)).map(({ file }) => file),
    hint,
  ).toEqual([])
})

test('the server reads the clock of its process only for IDs, the log, the age of backups, and what receivers send and see', () => {
  const clients = ['cli', 'sdk', 'console', 'explorer']
  const readers = files
    .filter(({ folder, text }) => !clients.includes(folder) && /\bDate\.now\(|\bnew Date\(\)/.test(text))
    .map(({ file }) => file)
  const hint = 'Use now() in SQL, because the clocks of two processes differ'
  expect(readers.toSorted(), hint).toEqual([
    'backup/backup-directory.ts',
    'backup/last-backup.ts',
    'feeds/sending/retry-schedule.ts',
    'feeds/sending/send-delivery.ts',
    'platform/ids.ts',
    'start/doctor/check-database.ts',
    'start/log/open-log.ts',
  ])
  // Prisma replaces the default now() with the time of the process.
  const schema = readFileSync(join(source, '../prisma/schema.prisma'), 'utf8')
  expect(schema, 'Write @default(dbgenerated("now()"))').not.toContain('@default(now())')
})

test('there are no import cycles', () => {
  const graph = new Map(files.map((file) => [file.file, importsOf(file).paths]))
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, trail: string[]) => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
    if (done.has(file) || trail.includes(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file])
    done.add(file)
  }
  for (const { file } of files) visit(file, [])
  expect(circles).toEqual([])
})

test('a file of at most 25 lines that only one file imports is a part of that file', () => {
  const lines = (text: string) => text.trimEnd().split('\n').length
  const roomOf = (path: string) => path.split('/', path.startsWith('console/') ? 2 : 1).join('/')
  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  const tested = new Set(
    tests.flatMap((text) => [...text.matchAll(/src\/([^']+)'/g)].map(([, path]) => path)),
  )
  const importers = new Map<string, typeof files>()
  for (const file of files)
    for (const path of importsOf(file).paths) importers.set(path, [...(importers.get(path) ?? []), file])
  const found = files.filter(({ file, text }) => {
    const [importer, ...others] = importers.get(file) ?? []
    if (!importer || others.length > 0 || lines(text) > 25 || tested.has(file) || alone.test(file))
      return false
    const isLazy = importer.text.replace(/\s/g, '').includes(`import('./${file.split('/').at(-1)}'`)
    const isLong = lines(text) + lines(importer.text) > 150
    return !isLazy && !isLong && roomOf(importer.file) === roomOf(file)
  })
  expect(found.map(({ file }) => file)).toEqual([])
})

test('README.md starts the service with one line and runs the tests with one, in at most 150 lines', () => {
  const readme = readFileSync(join(source, '../README.md'), 'utf8')
  expect(readme).toContain('\n```\nnpm install && npm start\n```\n')
  expect(readme).toContain('`npm install && npm test`')
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
})

// The files of a worker load a module once. Therefore only the first of them would have the hook.
test('a module that several test files import adds no hook when it is loaded', () => {
  const shared = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const withHook = shared.filter((file) =>
    /^(?:before|after)(?:All|Each)\(/m.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  )
  expect(shared.length).toBeGreaterThan(40)
  expect(withHook, 'Stop what the module starts with atEnd of test/support/at-end.ts').toEqual([])
})

/** Returns the names in statements, the strings that are a name, the SQL that begins with a name, and the models. */
function tablesNamedIn(text: string): string[] {
  const statements = text.matchAll(/\b(?:FROM|JOIN|USING)\s+([a-z_]+)\b/g)
  const strings = text.matchAll(/(?:'|sql`)([a-z_]+)(?:'| [a-z]{1,2}\b)/g)
  const models = text.matchAll(/\b(?:db|tx)\.(\w+)\.\w+\(/g)
  return [
    ...[...statements, ...strings].map(([, table = '']) => table),
    ...[...models].map(([, model = '']) => tableOf(model)),
  ]
}

function tablesWrittenIn(text: string): string[] {
  const raw = [...text.matchAll(/(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_]+)\b/g)].map(
    ([, table = '']) => table,
  )
  const models = [...text.matchAll(/\b(?:db|tx)\.(\w+)\.(?:create|update|upsert|delete)/g)].map(
    ([, model = '']) => model,
  )
  return [...raw.filter((table) => table in tableOwners), ...models.map(tableOf)]
}

function tableOf(model: string): string {
  const snake = model.replace(/URI/, '_uri').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return `${snake}s`.replace(/ys$/, 'ies')
}

test('the style sheets of the web app take their colors from tokens.css', () => {
  const folder = join(source, 'console')
  const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css') && file !== 'tokens.css')
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
  const found = sheets.flatMap(({ file, text }) =>
    [...text.matchAll(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(/gi)].map(([color]) => `${file}: ${color}`),
  )
  expect(found, 'Use a variable of src/console/tokens.css').toEqual([])
})

test('the tests that docs/security.md names exist', () => {
  const root = join(import.meta.dirname, '..')
  const named = readFileSync(join(root, 'docs/security.md'), 'utf8').matchAll(/`(test\/[^`]+)`/g)
  expect([...named].flatMap(([, path = '']) => (existsSync(join(root, path)) ? [] : [path]))).toEqual([])
})
