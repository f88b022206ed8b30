import { isBlank } from '../../text/blank.ts'
import type { Outgoing } from './outbox/outbox.ts'
import type { Upload } from './uploads/kept-uploads.ts'
import { useLostFiles } from './uploads/lost-files.tsx'
import { useUploads } from './uploads/use-uploads.ts'
import { useDraft } from './use-draft.ts'

/** The message that a person writes: its text and its files. */
export function useMessage(storageKey: string) {
  const [text, setText] = useDraft(storageKey)
  const [edited, setEdited] = useDraft(`${storageKey}:edited`)
  const uploads = useUploads(storageKey)
  const lostFiles = useLostFiles(storageKey, uploads.uploads.length)
  const keepKey = (nextText: string, fileCount: number) => {
    // After a person has removed everything, what they write is a new message.
    if (isBlank(nextText) && fileCount === 0) setEdited('')
  }
  const clear = () => {
    setText('')
    setEdited('')
    uploads.clear()
    lostFiles.forget()
  }
  return {
    text,
    uploads,
    lostFiles,
    isEmpty: isBlank(text) && uploads.uploads.length === 0,
    /** The key and the target with which the message was sent before, if it may have arrived. */
    unconfirmed: edited === '' ? undefined : (JSON.parse(edited) as Pick<Outgoing, 'key' | 'target'>),
    change: (value: string) => {
      setText(value)
      keepKey(value, uploads.uploads.length)
    },
    removeFile: (upload: Upload) => {
      uploads.remove(upload)
      keepKey(text, uploads.uploads.length - 1)
    },
    restore: (item: Outgoing) => {
      setText(item.text)
      setEdited(item.mayHaveArrived ? JSON.stringify({ key: item.key, target: item.target }) : '')
      uploads.restore(item)
    },
    clear,
    discard: () => {
      for (const upload of uploads.uploads) uploads.remove(upload)
      clear()
    },
  }
}
