import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useMutation } from 'react-relay/hooks'
import type { editComposerMutation } from '../../generated/console/editComposerMutation.graphql.ts'
import { problemOf } from '../relay/problem-of.ts'
import type { Draft } from '../thread/conversation.ts'
import styles from './composer.module.css'
import { ComposerField } from './field/composer-field.tsx'

type Props = { message: Draft; onClose: () => void }

/** Edits the text of a message. Escape leaves the message as it is. */
export function EditComposer({ message, onClose }: Props) {
  const [text, setText] = useState(message.text)
  const [problem, setProblem] = useState<string | null>(null)
  const [commit, isSaving] = useMutation<editComposerMutation>(graphql`
    mutation editComposerMutation($input: EditMessageInput!) {
      editMessage(input: $input) { message { id text ...messageRow_message } }
    }
  `)
  const save = async () => {
    if (isSaving) return
    const input = { messageID: message.id, text }
    const problem = await problemOf((config) => commit({ ...config, variables: { input } }))
    setProblem(problem)
    if (problem === null) onClose()
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Text size="sm" c="dimmed">
        Editing a message. Escape cancels.
      </Text>
      <ComposerField
        label="Edited message"
        text={text}
        onChange={setText}
        onSubmit={save}
        onEscape={onClose}
        autoFocus
        actions={
          <>
            <Button size="compact-md" variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" size="compact-md" loading={isSaving}>
              Save
            </Button>
          </>
        }
      />
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </form>
  )
}
