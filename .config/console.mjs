// Builds the web app into src/generated/console-app: the Relay artifacts, and then the bundle, each file also compressed.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { relayTags } from './relay-tags.mjs'

const source = fileURLToPath(new URL('../src/console/', import.meta.url))
const folder = fileURLToPath(new URL('../src/generated/console-app/', import.meta.url))

const artifacts = fileURLToPath(new URL('../src/generated/console/', import.meta.url))
const productionRouter = fileURLToPath(
  new URL('../node_modules/react-router/dist/production/index.mjs', import.meta.url),
)
const compiler = fileURLToPath(new URL('../node_modules/relay-compiler/cli.js', import.meta.url))

mkdirSync(artifacts, { recursive: true })
// The compiler finds the folders of its configuration from the current one.
execFileSync(process.execPath, [compiler, 'relay.json'], {
  cwd: source,
  stdio: ['ignore', 'ignore', 'inherit'],
})
// Vitest sets another value.
process.env.NODE_ENV = 'production'
const shared = {
  outDir: folder,
  target: 'es2022',
  // These browsers have light-dark(). What would replace it for older ones does not know the theme.
  cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  assetsDir: 'console',
  assetsInlineLimit: 0,
}
await build({
  configFile: false,
  root: source,
  logLevel: 'warn',
  plugins: [relayTags(), react(), openingStyles()],
  // The package exports only the build with warnings for developers.
  resolve: { alias: [{ find: /^react-router$/, replacement: productionRouter }] },
  // The server replaces the nonce in each response.
  html: { cspNonce: 'CSP_NONCE' },
  build: {
    ...shared,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // Styles that are loaded later would come before those of the first page, which stand after its content.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 1000,
    // What the first page needs is one file. Otherwise it is split by which of the other pages also need each module.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
})
// The pages of the server have a stylesheet of their own, and the documentation a small script.
await build({
  configFile: false,
  root: source,
  logLevel: 'warn',
  build: {
    ...shared,
    emptyOutDir: false,
    rolldownOptions: { input: ['server-pages.css', 'docs-page.ts'].map((file) => join(source, file)) },
  },
})

/**
 * Puts the styles of what the page shows first into the HTML, and the stylesheets after it. A browser does not paint what
 * comes after a stylesheet that is loading.
 */
function openingStyles() {
  const styles = ['tokens.css', 'opening.css']
    .map((name) => readFileSync(join(source, name), 'utf8'))
    .join('')
  const short = styles.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' ')
  const sheets = /<link rel="stylesheet"[^>]*>\s*/g
  return {
    name: 'opening-styles',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replace(sheets, '')
          .replace('</head>', () => `<style>${short}</style>\n</head>`)
          .replace('<div id="root">', (root) => `${html.match(sheets)?.join('') ?? ''}${root}`),
    },
  }
}

const assets = join(folder, 'console')
for (const file of readdirSync(assets).map((name) => join(assets, name))) {
  if (!statSync(file).isFile() || !/\.(js|css|json|svg)$/.test(file)) continue
  const content = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  )
}
