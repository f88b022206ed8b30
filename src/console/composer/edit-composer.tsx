import { Button, Text } from '@mantine/core'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { editComposerMutation } from '../../generated/console/editComposerMutation.graphql.ts'
import { ProblemText } from '../page/problems/problem.tsx'
import { useAction } from '../relay/use-action.ts'
import { textProblem } from '../session/limits.ts'
import { mentionedNames } from '../text/html-preview.ts'
import styles from './composer.module.css'
import { ComposerField } from './field/composer-field.tsx'
import { useDraft } from './use-draft.ts'

const deletedProblem = 'This message was deleted. Copy your text if you still need it.'

/** A message with the text that its author edits. Its HTML has the present names of mentioned users and groups. */
export type EditableMessage = { id: string; text: string; html: string }

export const EditMessageContext = createContext<(message: EditableMessage) => void>(() => {})

/** Returns a function that opens a message of the thread in the composer. */
export function useEditMessage(): (message: EditableMessage) => void {
  return useContext(EditMessageContext)
}

type Props = { message: EditableMessage; threadID: string; onClose: () => void }

/** Edits the text of a message. Escape discards the changes. Otherwise, this browser keeps them until they are saved. */
export function EditComposer({ message, threadID, onClose }: Props) {
  const { workspaceID = '' } = useParams()
  // The edit ends in all tabs when one of them saves or cancels it.
  const [text, setText] = useDraft(`${workspaceID}:${message.id}:edit`, message.text, onClose)
  const [names] = useState(() => mentionedNames(message.html))
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  }, [text])
  const { run, isRunning, problem, fieldProblems } = useAction<editComposerMutation>(
    graphql`
      mutation editComposerMutation($input: EditMessageInput!) {
        editMessage(input: $input) { message { id text ...messageRow_message } }
      }
    `,
    ['messageID'],
  )
  // The service refuses the ID of a person's own message only after the message was deleted.
  const isDeleted = fieldProblems.messageID !== undefined
  const excess = textProblem(text)
  const close = () => setText(null)
  const save = () => {
    if (isRunning || excess !== null) return
    // The person may continue to write while the service saves.
    run({ input: { messageID: message.id, text } }, () => latest.current === text && close())
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <ComposerField
        label="Edited message"
        text={text}
        names={names}
        near={[threadID]}
        onChange={setText}
        onSubmit={save}
        onEscape={close}
        autoFocus
        actions={
          <>
            <Button size="compact-md" variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" size="compact-md" loading={isRunning}>
              Save
            </Button>
          </>
        }
      />
      <Text size="sm" c="dimmed" px="sm">
        Editing a message.<span className={styles.key}> Press Escape to cancel.</span>
      </Text>
      <ProblemText problem={excess ?? (isDeleted ? deletedProblem : problem)} />
    </form>
  )
}
