// Writes src/generated/version.ts: the name and version of the package, and the commit if it is known. The
// variable COMMIT contains the commit if there is no repository, for example in a container.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const { name, version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const commit = process.env.COMMIT || commitOf(root)
mkdirSync(`${root}src/generated`, { recursive: true })
writeFileSync(
  `${root}src/generated/version.ts`,
  `export const built: { name: string; version: string; commit: string | null } =
  ${JSON.stringify({ name, version, commit })}
`,
)

/** Returns the commit of the working tree, with -dirty if it has changes, or null if git does not know it. */
function commitOf(folder) {
  // Git would also look for a repository in the parent folders.
  if (!existsSync(`${folder}.git`)) return null
  try {
    const describe = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*']
    return execFileSync('git', describe, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return null
  }
}
