// Writes dist/sbom.json: the name, version and licence of each package that the build or the service uses (CycloneDX 1.5).
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root } from './run.mjs'

const { npm_execpath: npm } = process.env
const command = npm ? [process.execPath, npm] : ['npm']
const [program, ...first] = [...command, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only']
const listed = JSON.parse(
  execFileSync(program, first, { cwd: root, maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' }),
)
const nameless = listed.components.filter(({ licenses }) => !licenses?.length).map(({ purl }) => purl)
if (nameless.length > 0) fail(`These packages have no licence: ${nameless.join(', ')}`)
mkdirSync(join(root, 'dist'), { recursive: true })
writeFileSync(join(root, 'dist/sbom.json'), `${JSON.stringify(listed, null, 1)}\n`)
