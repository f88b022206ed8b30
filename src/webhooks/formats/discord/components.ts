import { fieldsOf, listOf, textOf } from '../json-values.ts'
import { canLink, joinBlocks, linkTo } from '../markdown.ts'
import { discordMarkdown } from './markdown.ts'

const maxDepth = 5

/** Returns the texts and the links of a component. A button without a URL calls the app in Discord, and is left out. */
export function componentMarkdown(component: unknown): string {
  return joinBlocks([...partsOf(component, maxDepth)].filter((part) => part !== ''))
}

function partsOf(component: unknown, depth: number): string[] {
  if (depth === 0) return []
  const { content, accessory, components, items, ...own } = fieldsOf(component)
  const inside = listOf(components)
  const isRow = inside.length > 0 && inside.every((one) => canLink(textOf(fieldsOf(one).url)))
  return [
    discordMarkdown(textOf(content)),
    ...(isRow ? [inside.map(linkOf).join(' · ')] : inside.flatMap((one) => partsOf(one, depth - 1))),
    ...listOf(items).map(linkOf),
    linkOf(own),
    linkOf(accessory),
  ]
}

// A button has a URL, and a picture or a file has one in its media.
function linkOf(component: unknown): string {
  const { label, description, url, media, file } = fieldsOf(component)
  const link = [url, fieldsOf(media).url, fieldsOf(file).url].map(textOf).find(canLink)
  return link === undefined ? '' : linkTo(textOf(label) || textOf(description), link)
}
