// Packs a new embedded database, with all migrations, into src/generated/database. The first start of the service
// unpacks it, because creating one takes several seconds and 900 MB of memory.
import { createHash } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGzip } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { packTar } from 'modern-tar/fs'
import { applyMigrations } from '../src/database/migrate.ts'

const folder = fileURLToPath(new URL('../src/generated/database/', import.meta.url))
const versionFile = join(folder, 'version')
const manifest = fileURLToPath(new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url))
const migrations = fileURLToPath(new URL('../prisma/migrations/', import.meta.url))
const version = versionOf([
  manifest,
  ...readdirSync(migrations, { recursive: true })
    .filter(isScript)
    .map((file) => join(migrations, file)),
])

if (!existsSync(versionFile) || readFileSync(versionFile, 'utf8') !== version) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const databaseFolder = mkdtempSync(join(tmpdir(), 'skein-database-'))
  try {
    const pglite = await PGlite.create(databaseFolder)
    await applyMigrations(pglite)
    await pglite.close()
    await pipeline(packTar(databaseFolder), createGzip(), createWriteStream(join(folder, 'new.tar.gz')))
  } finally {
    rmSync(databaseFolder, { recursive: true })
  }
  writeFileSync(versionFile, version)
}

function isScript(file) {
  return file.endsWith('.sql')
}

function versionOf(files) {
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(readFileSync(file))
  return hash.digest('hex')
}
