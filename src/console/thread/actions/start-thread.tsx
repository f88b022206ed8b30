import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Composer } from '../../composer/composer.tsx'

type Props = { messageID: string; onClose: () => void }

/** Starts a thread from a message. It has the recipients of the thread of that message. */
export default function StartThread({ messageID, onClose }: Props) {
  const [subject, setSubject] = useState('')
  return (
    <Modal
      opened
      onClose={onClose}
      title="Reply in a new thread"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <TextInput
        label="Subject"
        description="Optional"
        maxLength={250}
        mb="md"
        value={subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <Composer
        target={{
          recipients: [],
          fromMessageID: messageID,
          ...(subject.trim() && { subject: subject.trim() }),
        }}
      />
    </Modal>
  )
}
