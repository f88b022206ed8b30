import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** A Vite plugin that emits a script as its own file, and adds it to the page so that it runs before the first paint. */
export function blockingScript(path) {
  const name = basename(path)
  return {
    name: 'blocking-script',
    buildStart() {
      // A script that is not a module declares its variables globally.
      this.emitFile({ type: 'asset', name, source: `{${readFileSync(path, 'utf8')}}` })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const asset = Object.values(bundle).find(({ names }) => names?.includes(name))
        return html.replace('<title>', `<script src="/${asset.fileName}"></script>\n<title>`)
      },
    },
  }
}
