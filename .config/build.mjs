// Builds the service into dist. With --if-changed, it does nothing if no source has changed since the last build, and
// leaves the type check to `npm run check`. With --check-settings, it reports wrong settings before it builds.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from './digest.mjs'
import { generateFiles, generateSources } from './generate.mjs'
import { fail, root, run } from './run.mjs'

const stamp = join(root, 'dist/sources')
const compiler = 'node_modules/typescript/bin/tsc'
const ifChanged = process.argv.includes('--if-changed')
const say = (text) => process.stdout.isTTY && process.stdout.write(`${text}\n`)

// An installed package has no sources.
if (existsSync(join(root, 'src'))) {
  const digest = digestOf(root)
  if (!ifChanged || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) await build(digest)
}

async function build(digest) {
  if (!existsSync(join(root, compiler)))
    fail('The packages that build the service are not installed. Run npm install first.')
  if (process.argv.includes('--check-settings')) checkSettings()
  const began = performance.now()
  say('Building the service ...')
  rmSync(stamp, { force: true })
  await Promise.all([compile(), generateFiles()])
  for (const files of ['explorer', 'console-app', 'database']) {
    cpSync(join(root, 'src/generated', files), join(root, 'dist/generated', files), { recursive: true })
  }
  writeFileSync(stamp, digest)
  say(`Built in ${Math.round((performance.now() - began) / 1000)} s.`)
}

async function compile() {
  await generateSources()
  await Promise.all([
    run(compiler, ...(ifChanged ? ['--noCheck'] : [])),
    run(compiler, '-p', 'src/sdk').then(() => run('.config/sdk-package.mjs', 'dist', 'dist')),
  ])
}

/** The check itself prints the problems. */
function checkSettings() {
  try {
    execFileSync(process.execPath, ['--import', 'tsx', 'src/start/settings/check-settings.ts'], {
      cwd: root,
      stdio: 'inherit',
    })
  } catch {
    process.exit(1)
  }
}
