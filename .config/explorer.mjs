// Bundles the explorer page into src/generated/explorer, each file also compressed.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const source = fileURLToPath(new URL('../src/explorer/', import.meta.url))
const folder = fileURLToPath(new URL('../src/generated/explorer/', import.meta.url))

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const common = {
  bundle: true,
  minify: true,
  outdir: folder,
  target: 'es2022',
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.ttf': 'file', '.woff2': 'file' },
  assetNames: '[name]-[hash]',
  legalComments: 'linked',
  logLevel: 'warning',
}
await build({
  ...common,
  entryPoints: { page: join(source, 'page.tsx') },
  format: 'esm',
  splitting: true,
  chunkNames: 'chunk-[hash]',
})
await build({
  ...common,
  entryPoints: {
    'editor-worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
    'json-worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
    'graphql-worker': 'monaco-graphql/esm/graphql.worker.js',
  },
  format: 'iife',
})
copyFileSync(join(source, 'index.html'), join(folder, 'index.html'))
copyFileSync(join(source, '../console/mark.svg'), join(folder, 'mark.svg'))
for (const file of readdirSync(folder).map((name) => join(folder, name))) {
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
}
