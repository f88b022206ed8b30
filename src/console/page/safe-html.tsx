type Props = { html: string; className?: string | undefined; dir?: 'auto' }

/** Embeds HTML that comes from the service, or from the Markdown renderer that the service also uses. */
export function SafeHTML({ html, ...props }: Props) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: The service and the renderer escape all text.
  return <div {...props} dangerouslySetInnerHTML={{ __html: html }} />
}
