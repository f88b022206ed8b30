import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import styles from './composer.module.css'
import { ComposerField } from './field/composer-field.tsx'
import { OutboxList } from './outbox/outbox-list.tsx'
import { useOutbox } from './outbox/use-outbox.ts'
import type { Sent } from './outbox/use-send.ts'
import { placeOf, type Target } from './target.ts'
import { AttachButton } from './uploads/attach-button.tsx'
import { UploadList } from './uploads/upload-list.tsx'
import { useUploads } from './uploads/use-uploads.ts'
import { useDraft } from './use-draft.ts'

type Props = {
  target: Target
  /** By default, opens the thread of the message. */
  onSent?: (sent: Sent) => void
  /** The person wants to edit their last message. */
  onEditLast?: () => void
}

/** Writes a message to a thread, or to recipients whose thread may not exist yet. */
export function Composer({ target, onSent, onEditLast }: Props) {
  const { workspaceID = '' } = useParams()
  const navigate = useNavigate()
  const place = placeOf(workspaceID, target)
  const [text, setText] = useDraft(place)
  const [hint, setHint] = useState<string | null>(null)
  const [isOver, setIsOver] = useState(false)
  const uploads = useUploads()
  const outbox = useOutbox(
    place,
    target,
    onSent ?? (({ threadID }) => navigate(`/${workspaceID}/threads/${threadID}`)),
  )
  const isEmpty = text.trim() === '' && uploads.uploads.length === 0
  const submit = () => {
    if (isEmpty) return
    if (!uploads.isReady) return setHint('Wait until the files are uploaded, or remove them.')
    // The service needs a text.
    outbox.send(text.trim() === '' ? namesOf(uploads.files) : text, uploads.files)
    setText('')
    setHint(null)
    uploads.clear()
  }
  return (
    <form
      className={styles.form}
      data-over={isOver || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        uploads.add(event.dataTransfer.files)
      }}
    >
      <OutboxList
        items={outbox.items}
        onRetry={outbox.retry}
        onDiscard={({ key }) => outbox.remove(key)}
        onEdit={(item) => {
          outbox.remove(item.key)
          uploads.restore(item.files)
          setText([item.text, text].filter(Boolean).join('\n'))
        }}
      />
      <UploadList uploads={uploads.uploads} onRemove={uploads.remove} onRetry={uploads.retry} />
      <ComposerField
        label="Message"
        placeholder="Write a message"
        text={text}
        onChange={setText}
        onSubmit={submit}
        onArrowUp={onEditLast}
        onFiles={uploads.add}
        tools={<AttachButton onFiles={uploads.add} />}
        actions={
          <Button type="submit" size="compact-md" disabled={isEmpty || !uploads.isReady}>
            Send
          </Button>
        }
      />
      {hint && !uploads.isReady && (
        <Text size="sm" role="status">
          {hint}
        </Text>
      )}
    </form>
  )
}

function namesOf(files: readonly { name: string }[]): string {
  return files.map(({ name }) => name.replace(/[\\`*_~[\]<>]/g, '\\$&')).join(', ')
}
