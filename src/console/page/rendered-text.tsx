import styles from './rendered-text.module.css'

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

type Props = { html: string; className?: string | undefined; dir?: 'auto' }

/** Embeds HTML that comes from the service, or from the Markdown renderer that the service also uses. */
export function SafeHTML({ html, ...props }: Props) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: The service and the renderer escape all text.
  return <div {...props} dangerouslySetInnerHTML={{ __html: html }} />
}
