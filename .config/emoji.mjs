// Writes src/console/emoji/emoji.json, the emoji with their English names and the names that people type between colons
// (of GitHub, and then of Slack), from the package emojibase-data. The package has the names in all languages (49 MB), and is needed only for newer emoji:
// npm install --no-save emojibase-data && node .config/emoji.mjs && npm prune
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../node_modules/emojibase-data/', import.meta.url))
const folder = fileURLToPath(new URL('../src/console/emoji/', import.meta.url))
const read = (name) => JSON.parse(readFileSync(`${source}en/${name}.json`, 'utf8'))
// The fonts of many systems do not have newer emoji.
const newestVersion = 15

const shown = read('data').filter(({ group, version }) => group !== undefined && version <= newestVersion)
const namesOf = new Map(shown.map(({ hexcode }) => [hexcode, []]))
const used = new Set()
for (const list of ['github', 'iamcal']) {
  for (const [hexcode, names] of Object.entries(read(`shortcodes/${list}`))) {
    // A name belongs to one emoji.
    const free = [names].flat().filter((name) => !used.has(name))
    namesOf.get(hexcode)?.push(...free)
    for (const name of free) used.add(name)
  }
}
const emojis = shown.map(({ emoji, hexcode, label, group, version, tags = [] }) => {
  const names = namesOf.get(hexcode)
  return { emoji, label, category: group, version, tags, ...(names.length > 0 && { names }) }
})
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
