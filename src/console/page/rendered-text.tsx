import styles from './rendered-text.module.css'
import { SafeHTML } from './safe-html.tsx'

/** The rendered text of a message. */
export function RenderedText({ html }: { html: string }) {
  return <SafeHTML className={styles.text} html={withDirections(html)} />
}

const inlineDirections = new Map([
  ['pre', 'ltr'],
  ['code', 'ltr'],
  ['span', 'auto'], // a mention
])

/**
 * Sets the direction of code, of mentions, and of each outermost list and quote. The style sheet sets the direction of
 * paragraphs. The renderer escapes the text of messages, so that nobody can write these tags.
 */
function withDirections(html: string): string {
  let depth = 0
  return html.replace(/<(\/?)(pre|code|span|ul|ol|blockquote)\b/g, (tag, slash: string, name: string) => {
    const inline = inlineDirections.get(name)
    if (inline) return slash ? tag : `${tag} dir="${inline}"`
    depth += slash ? -1 : 1
    return !slash && depth === 1 ? `${tag} dir="auto"` : tag
  })
}
