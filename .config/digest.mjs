import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Returns a digest of the names and contents of files and folders. It ignores times, because a checkout changes them. */
export function digestOf(root, paths, includes = () => true) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((path) => filesIn(root, path)).sort()) {
    if (!includes(file)) continue
    const content = readFileSync(join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function filesIn(root, path) {
  if (!existsSync(join(root, path))) return []
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesIn(root, join(path, name)))
}
