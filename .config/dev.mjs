// Starts the service from its sources, and starts it again after each change. First builds the parts of src/generated
// that the change touches: the rows, the schema, the embedded database, the explorer or the web app.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { changedParts, partNames } from './parts.mjs'
import { root } from './run.mjs'

const build = [join(root, '.config/build.mjs'), '--if-changed', '--without-code']
const generated = partNames.filter((name) => name !== 'code')
// A save can write a file in several steps, and an editor can save several files.
const settleMs = 100

let building = Promise.resolve()
let timer

await ended(start(build))
const service = start([
  ...['node_modules/tsx/dist/cli.mjs', 'watch', '--include', 'src/generated/console-app/index.html'],
  ...['--import', './.config/typescript-workers.mjs', 'src/main.ts', 'start'],
])
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill(signal))
for (const folder of ['src', 'prisma']) watch(join(root, folder), { recursive: true }, onChange)
process.exit(await ended(service))

function onChange(_event, file) {
  if (file?.startsWith('generated')) return
  clearTimeout(timer)
  timer = setTimeout(() => {
    building = building.then(async () => {
      if (changedParts(generated).length > 0) await ended(start(build))
    })
  }, settleMs)
}

function start(program) {
  return spawn(process.execPath, program, { cwd: root, stdio: 'inherit' })
}

/** Resolves with the exit code. A build that fails says why, and the next change builds again. */
function ended(child) {
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}
