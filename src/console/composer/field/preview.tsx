import { Text } from '@mantine/core'
import { mentionedIDs, renderMarkdown } from '../../../text/markdown/render-markdown.ts'
import { RenderedText } from '../../page/reading/rendered-text.tsx'
import { useEntries } from '../../people/picker/use-entries.ts'

const schemes = ['skein']

/** Shows a text as the service will render it. The web app and the service use the same renderer. */
export default function Preview({ text }: { text: string }) {
  const { known } = useEntries(mentionedIDs(text, schemes))
  if (text.trim() === '') return <Text c="dimmed">Nothing to preview yet.</Text>
  const names = new Map([...known].map(([id, { name }]) => [id, name]))
  return <RenderedText html={renderMarkdown(text, { schemes, names })} />
}
