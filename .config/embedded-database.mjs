// Packs a new embedded database into src/generated/database. The first start of the service unpacks it,
// because creating one takes several seconds and 900 MB of memory. It depends only on the PGlite version.
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
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

const folder = fileURLToPath(new URL('../src/generated/database/', import.meta.url))
const versionFile = join(folder, 'version')
const manifest = fileURLToPath(new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url))
const { version } = JSON.parse(readFileSync(manifest, 'utf8'))

if (!existsSync(versionFile) || readFileSync(versionFile, 'utf8') !== version) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const made = mkdtempSync(join(tmpdir(), 'skein-database-'))
  try {
    const pglite = await PGlite.create(made)
    await pglite.close()
    await pipeline(packTar(made), createGzip(), createWriteStream(join(folder, 'new.tar.gz')))
  } finally {
    rmSync(made, { recursive: true })
  }
  writeFileSync(versionFile, version)
}
