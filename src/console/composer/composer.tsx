import { Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useParams } from 'react-router'
import { isBlank } from '../../text/blank.ts'
import { ProblemText } from '../page/problems/problem.tsx'
import { textProblem } from '../session/limits.ts'
import styles from './composer.module.css'
import { ComposerField, type FieldHandle } from './field/composer-field.tsx'
import { AttachButton, useFileDrop } from './field/incoming-files.tsx'
import { type Outgoing, storageKeyOf, type Target } from './outbox/outbox.ts'
import { OutboxList } from './outbox/outbox-list.tsx'
import { useOutbox } from './outbox/use-outbox.ts'
import type { Sent } from './outbox/use-send.ts'
import { SendButton } from './send-button.tsx'
import { UnsentDraft } from './unsent-draft.tsx'
import { LostFilesNotice } from './uploads/lost-files.tsx'
import { UploadList } from './uploads/upload-list.tsx'
import { useShowDraft } from './use-draft.ts'
import { useMessage } from './use-message.ts'
import { useOpenThread } from './use-open-thread.ts'

const editProblem = 'Send or remove what is in the field first. Then you can edit the other message.'
const targetProblem =
  'The service may have received this message. Restore its recipients and its subject, or empty the field to write a new message.'

type Props = {
  target: Target
  /** Called when the message has arrived. By default, opens its thread unless the person is writing again. */
  onSent?: (sent: Sent) => void
  /** Called when the person sends the message, before the service has received it. */
  onSubmit?: () => void
  /** Called when a message that could not be sent is put back into the field. */
  onEdit?: (target: Target) => void
  /** Called when the person presses the key that edits their last message. */
  onEditLast?: () => void
  /** The IDs of recipients whose users and groups are offered first as mentions. By default, those of the target. */
  near?: readonly string[]
  /** The key of the draft. By default, each target has its own draft. */
  draftKey?: string
  /** Says why the message cannot be sent yet. */
  obstacle?: string | null
  /** Shows the obstacle at the field that the person must change. By default, it is below the message. */
  onObstacle?: () => void
  /** Whether the person can no longer write. What they have written is kept. */
  isReadOnly?: boolean
  /** What the empty field shows. */
  placeholder?: string
  minRows?: number
  autoFocus?: boolean
}

/** Writes a message to a thread, or to recipients whose thread may not exist yet. */
export function Composer({
  target,
  onSent,
  onSubmit,
  onEdit,
  onEditLast,
  obstacle = null,
  onObstacle,
  isReadOnly = false,
  placeholder = 'Write a message',
  ...props
}: Props) {
  const { workspaceID = '' } = useParams()
  const storageKey = props.draftKey ?? storageKeyOf(workspaceID, target)
  const message = useMessage(storageKey)
  useShowDraft(storageKey)
  const { text, uploads, lostFiles, isEmpty } = message
  const [shownProblem, setShownProblem] = useState<'message' | 'edit' | null>(null)
  const openThread = useOpenThread(!isEmpty)
  const outbox = useOutbox(storageKey, onSent ?? openThread)
  const field = useRef<FieldHandle>(null)
  const drop = useFileDrop(isReadOnly ? null : uploads.add)
  const excess = textProblem(text) ?? uploads.excess
  const { unconfirmed } = message
  const isRedirected = unconfirmed && JSON.stringify(unconfirmed.target) !== JSON.stringify(target)
  const problem = excess ?? obstacle ?? (isRedirected ? targetProblem : null) ?? uploads.problem
  const submit = () => {
    if (isEmpty) return
    if (onObstacle && obstacle && problem === obstacle) return onObstacle()
    if (problem) return setShownProblem('message')
    // The service refuses a message without text.
    const content = isBlank(text) ? namesOf(uploads.files) : (field.current?.complete() ?? text)
    outbox.send(target, content, uploads.files, unconfirmed?.key)
    message.clear()
    setShownProblem(null)
    onSubmit?.()
    field.current?.write()
  }
  const edit = (item: Outgoing) => {
    setShownProblem(isEmpty ? null : 'edit')
    if (!isEmpty) return
    message.restore(item)
    outbox.remove(item.key)
    onEdit?.(item.target)
    field.current?.write()
  }
  const files = <UploadList uploads={uploads.uploads} onRemove={message.removeFile} onRetry={uploads.retry} />
  return (
    <form
      {...drop}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <OutboxList
        items={outbox.items}
        onRetry={outbox.retry}
        onDiscard={({ key }) => outbox.remove(key)}
        onEdit={isReadOnly ? null : edit}
      />
      <LostFilesNotice count={isReadOnly ? 0 : lostFiles.count} onDismiss={lostFiles.forget} />
      {isReadOnly ? (
        <>
          {files}
          {!isEmpty && <UnsentDraft text={text} onDiscard={message.discard} />}
        </>
      ) : (
        <ComposerField
          ref={field}
          label="Message"
          placeholder={placeholder}
          near={props.near ?? ('threadID' in target ? [target.threadID] : target.recipients)}
          minRows={props.minRows}
          autoFocus={props.autoFocus}
          text={text}
          onChange={(value) => {
            message.change(value)
            if (shownProblem === 'edit') setShownProblem(null)
          }}
          onSubmit={submit}
          onArrowUp={onEditLast}
          onFiles={uploads.add}
          files={uploads.uploads.length > 0 && files}
          tools={<AttachButton onFiles={uploads.add} />}
          actions={<SendButton isDisabled={isEmpty || !uploads.isReady} />}
        />
      )}
      {unconfirmed && (
        <Text size="sm" c="dimmed" px="xs">
          You are editing a message that may have arrived. Sending changes it. Empty the field to write a new
          one.
        </Text>
      )}
      <ProblemText
        problem={
          excess ?? uploads.surplus ?? (shownProblem === 'edit' ? editProblem : shownProblem && problem)
        }
      />
    </form>
  )
}

function namesOf(files: readonly { name: string }[]): string {
  return files.map(({ name }) => name.replace(/[\\`*_~[\]<>]/g, '\\$&')).join(', ')
}
