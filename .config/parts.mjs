// The parts of the build. A part is built again only if a file that it reads has changed since it was last built.
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from './digest.mjs'
import { root, run } from './run.mjs'

const compiler = 'node_modules/typescript/bin/tsc'
const tools = ['package.json', 'package-lock.json', 'tsconfig.json', '.config']
const isSource = (file) => !file.startsWith(join('src', 'generated'))
const isSchema = (file) => isSource(file) && file.endsWith('.graphql')
const isOfPage = (file) => /^src.(console|explorer)/.test(file)

/** Each part: the files that it reads, how it is built, and the folder of `src/generated` that the service serves. */
const parts = {
  rows: {
    reads: ['prisma/schema.prisma'],
    build: () => run('node_modules/prisma/build/index.js', 'generate'),
  },
  schema: {
    reads: ['src'],
    includes: isSchema,
    build: () => run('.config/graphql-types.mjs'),
  },
  code: {
    reads: ['src', 'prisma/schema.prisma'],
    includes: (file) => isSource(file) && !isOfPage(file),
    build: compile,
  },
  database: {
    reads: ['prisma/migrations', 'src/database'],
    build: () => run('--import', 'tsx', '.config/embedded-database.mjs'),
    serves: 'database',
  },
  licences: {
    reads: [],
    build: () => run('.config/licences.mjs'),
  },
  explorer: {
    reads: ['src/explorer', 'src/console/tokens.css', 'src/console/mark.svg'],
    build: () => run('.config/explorer.mjs'),
    serves: 'explorer',
  },
  // The web app also imports the Markdown renderer and the list of scopes from the service.
  webApp: {
    reads: ['src'],
    includes: (file) => isSchema(file) || /^src.(console|text|scopes)/.test(file),
    build: () => run('.config/console.mjs'),
    serves: 'console-app',
  },
}

export const partNames = Object.keys(parts)

const stampOf = (name) => join(root, 'dist/parts', name)

/** Returns the parts that were never built, and those that read a file that has changed. */
export function changedParts(names) {
  return names.filter((name) => !isBuilt(name) || readFileSync(stampOf(name), 'utf8') !== digestOfPart(name))
}

export function isBuilt(name) {
  return existsSync(stampOf(name))
}

/** Returns a digest of the files that a part reads. */
export function digestOfPart(name, folder = root) {
  const { reads, includes } = parts[name]
  return digestOf(
    folder,
    [...tools, ...reads],
    (file) => !includes || !file.startsWith('src') || includes(file),
  )
}

/** Copies a folder. Files of an earlier build do not stay: the service could take them for those of this one. */
export function replaceFolder(from, to) {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
}

/** Builds parts. Builds one page or database at a time, because each takes up to 900 MB of memory. */
export async function buildParts(names, { checksTypes = false } = {}) {
  const one = async (name) => {
    if (!names.includes(name)) return
    const current = digestOfPart(name)
    rmSync(stampOf(name), { force: true })
    await parts[name].build({ checksTypes })
    const { serves } = parts[name]
    if (serves) replaceFolder(join(root, 'src/generated', serves), join(root, 'dist/generated', serves))
    mkdirSync(join(root, 'dist/parts'), { recursive: true })
    writeFileSync(stampOf(name), current)
  }
  await Promise.all([run('.config/version.mjs'), one('rows'), one('schema')])
  const pages = async () => {
    for (const name of ['database', 'explorer', 'webApp']) await one(name)
  }
  await Promise.all([one('code'), one('licences'), pages()])
}

async function compile({ checksTypes }) {
  await Promise.all([
    run(compiler, ...(checksTypes ? [] : ['--noCheck'])),
    run(compiler, '-p', 'src/sdk').then(() => run('.config/sdk-package.mjs', 'dist', 'dist')),
  ])
  chmodSync(join(root, 'dist/main.js'), 0o755)
}
