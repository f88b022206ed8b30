// Runs all checks of the sources, the cheapest first, and reports the failures of all of them.
import { spawnSync } from 'node:child_process'
import { root } from './run.mjs'

const compiler = 'node_modules/typescript/bin/tsc'
const checks = [
  ['node_modules/@biomejs/biome/bin/biome', 'check'],
  [compiler, '-p', 'src/sdk', '--noEmit'],
  [compiler, '-p', 'src/explorer'],
  [compiler, '-p', 'src/console'],
  [compiler, '-p', 'test'],
]
const failed = checks.filter(
  (check) => spawnSync(process.execPath, check, { cwd: root, stdio: 'inherit' }).status !== 0,
)
for (const check of failed) process.stderr.write(`This failed: node ${check.join(' ')}\n`)
process.exitCode = failed.length > 0 ? 1 : 0
