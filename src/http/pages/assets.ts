import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What `npm run build` makes of `src/console`. */
export const builtFolder = join(import.meta.dirname, '../../generated/console-app')
/** The names of these files contain a hash of their contents. */
export const assetsPath = '/console'

export const assets: ReadonlySet<string> = new Set(
  readdirSync(join(builtFolder, 'console')).filter((name) => !/\.(gz|br)$/.test(name)),
)

/** Returns the URL of the built file whose name is `name`, a hash, and `.type`. */
export function assetURL(name: string, type: string): string {
  const file = [...assets].find((asset) => asset.startsWith(`${name}-`) && asset.endsWith(`.${type}`))
  if (file === undefined) throw new Error(`The web app was built without ${name}.${type}`)
  return `${assetsPath}/${file}`
}
