// Builds the service into dist.
//   --if-changed       builds only the parts whose sources have changed, and leaves the type check to `npm run check`
//   --without-code     builds only the parts that src/generated needs, for the compiler and `npm run dev`
//   --without-pages    builds the web app and the explorer only if they were never built
//   --check-settings   reports wrong settings before it builds
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildParts, changedParts, isBuilt, partNames } from './parts.mjs'
import { fail, root } from './run.mjs'

const has = (option) => process.argv.includes(`--${option}`)
const ifChanged = has('if-changed')
const say = (text) => process.stdout.isTTY && process.stdout.write(`${text}\n`)

// An installed package has no sources.
if (existsSync(join(root, 'src'))) {
  const isSkipped = (name) =>
    (has('without-code') && ['code', 'licences'].includes(name)) ||
    (has('without-pages') && ['explorer', 'webApp'].includes(name) && isBuilt(name))
  const names = partNames.filter((name) => !isSkipped(name))
  const changed = ifChanged ? changedParts(names) : names
  if (changed.length > 0) await build(changed)
}

async function build(names) {
  if (!existsSync(join(root, 'node_modules/typescript')))
    fail('The packages that build the service are not installed. Run npm install first.')
  if (has('check-settings')) checkSettings()
  const began = performance.now()
  say(`Building ${names.length < partNames.length ? names.join(', ') : 'the service'} ...`)
  await buildParts(names, { checksTypes: !ifChanged })
  say(`Built in ${Math.round((performance.now() - began) / 1000)} s.`)
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
