// Packs src/sdk as a package of its own, for import and for require, with what it needs inside:
//   node .config/sdk-package.mjs <folder of the compiled client> <folder for skein-sdk.tgz>
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const [compiled, target] = process.argv.slice(2)
const source = fileURLToPath(new URL('../src/sdk/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'skein-sdk-'))

for (const format of ['esm', 'cjs']) {
  const into = join(folder, format)
  await build({
    bundle: true,
    entryPoints: [join(source, 'index.ts')],
    outfile: join(into, 'index.js'),
    format,
    platform: 'neutral',
    target: 'es2022',
    // Loaded only to print a syntax tree, which its owner made with it.
    external: ['graphql'],
    supported: { 'dynamic-import': true },
    logLevel: 'warning',
  })
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
mkdirSync(target, { recursive: true })
const pack = execFileSync('npm', ['pack', folder, '--pack-destination', target, '--json', '--loglevel=error'])
renameSync(join(target, JSON.parse(pack)[0].filename), join(target, 'skein-sdk.tgz'))
rmSync(folder, { recursive: true })
