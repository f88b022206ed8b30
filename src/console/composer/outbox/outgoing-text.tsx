import { useEntries } from '../../people/picker/use-entries.ts'
import { plainPreview, previewMentions } from '../../text/plain-preview.ts'

/** The beginning of a message that has not been sent yet. */
export function OutgoingText({ text }: { text: string }) {
  const { known } = useEntries(previewMentions(text))
  return plainPreview(text, (id) => known.get(id)?.name)
}
