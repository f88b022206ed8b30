// Writes src/console/emoji/emoji.json, the emoji of the picker with their English names, from the package
// emojibase-data. The package has the names in all languages (49 MB), and is needed only for newer emoji:
// npm install --no-save emojibase-data && node .config/emoji.mjs && npm prune
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../node_modules/emojibase-data/', import.meta.url))
const folder = fileURLToPath(new URL('../src/console/emoji/', import.meta.url))
const read = (name) => JSON.parse(readFileSync(`${source}en/${name}.json`, 'utf8'))
// The fonts of many systems do not have newer emoji.
const newestVersion = 15

const emojis = read('data')
  .filter(({ group, version }) => group !== undefined && version <= newestVersion)
  .map(({ emoji, label, group, version, tags = [] }) => ({ emoji, label, category: group, version, tags }))
const categories = read('messages')
  .groups.filter(({ key }) => key !== 'component')
  .map(({ order, message }) => ({ index: order, label: message }))
const skinTones = { light: '', 'medium-light': '', medium: '', 'medium-dark': '', dark: '' }
const rows = emojis.map((row) => JSON.stringify(row)).join(',\n')
writeFileSync(
  `${folder}emoji.json`,
  `{"locale":"en","categories":${JSON.stringify(categories)},"skinTones":${JSON.stringify(skinTones)},"emojis":[\n${rows}\n]}\n`,
)
copyFileSync(`${source}LICENSE`, `${folder}emoji.LICENSE`)
