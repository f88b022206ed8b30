import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The files and folders that the build reads. */
const sources = ['package.json', 'package-lock.json', 'tsconfig.json', 'prisma', '.config', 'src']
const generated = join('src', 'generated')

/** Returns a digest of all sources' names and contents. It ignores times, because a checkout changes them. */
export function digestOf(root) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesIn(root, source)).sort()) {
    const content = readFileSync(join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function filesIn(root, path) {
  if (path === generated || !existsSync(join(root, path))) return []
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesIn(root, join(path, name)))
}
