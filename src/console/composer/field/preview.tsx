import { Text } from '@mantine/core'
import { use } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { renderMarkdown } from '../../../text/markdown/render-markdown.ts'
import styles from '../../thread/message/message-content.module.css'
import { mentionOptions } from '../mentions/mention-options.ts'

/** Shows a text like the service will show it. Both use the same renderer. */
export default function Preview({ text }: { text: string }) {
  const options = use(mentionOptions(useRelayEnvironment()))
  if (text.trim() === '') return <Text c="dimmed">There is nothing to preview yet.</Text>
  const names = new Map(options.map(({ id, name }) => [id, name]))
  const html = renderMarkdown(text, { schemes: ['skein'], names })
  // The renderer returns HTML that is safe to embed.
  return <div className={styles.text} dangerouslySetInnerHTML={{ __html: html }} />
}
