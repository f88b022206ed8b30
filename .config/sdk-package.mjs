// Packs src/sdk as a package for import and for require, with its dependencies bundled:
//   node .config/sdk-package.mjs <folder of the compiled client> <folder for skein-sdk.tgz>
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const [compiled, target] = process.argv.slice(2)
const root = fileURLToPath(new URL('../', import.meta.url))
const source = join(root, 'src/sdk')
const folder = mkdtempSync(join(tmpdir(), 'skein-sdk-'))

const bundled = new Set()
for (const format of ['esm', 'cjs']) {
  const into = join(folder, format)
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    metafile: true,
    entryPoints: [join(source, 'index.ts')],
    outfile: join(into, 'index.js'),
    format,
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
  })
  for (const input of Object.keys(metafile.inputs)) {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input) ?? []
    if (name) bundled.add(name)
  }
  for (const types of ['sdk', 'generated/sdk.d.ts']) {
    cpSync(join(compiled, types), join(into, types), {
      recursive: true,
      filter: (path) => !path.endsWith('.js'),
    })
  }
}
writeFileSync(join(folder, 'cjs/package.json'), '{ "type": "commonjs" }\n')
copyFileSync(join(source, 'package.json'), join(folder, 'package.json'))
copyFileSync(join(source, 'README.md'), join(folder, 'README.md'))
writeFileSync(join(folder, 'LICENSES.txt'), [...bundled].sort().map(licenseOf).join('\n'))
mkdirSync(target, { recursive: true })
const pack = execFileSync('npm', ['pack', folder, '--pack-destination', target, '--json', '--loglevel=error'])
renameSync(join(target, JSON.parse(pack)[0].filename), join(target, 'skein-sdk.tgz'))
rmSync(folder, { recursive: true })

/** The licenses of bundled packages require that their text is distributed with them. */
function licenseOf(name) {
  const home = join(root, 'node_modules', name)
  const file = readdirSync(home).find((each) => /^licen[cs]e/i.test(each))
  return `${name}\n\n${readFileSync(join(home, file), 'utf8')}`
}
