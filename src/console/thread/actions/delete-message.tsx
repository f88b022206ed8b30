import { Button, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useMutation } from 'react-relay/hooks'
import type { deleteMessageMutation } from '../../../generated/console/deleteMessageMutation.graphql.ts'
import { problemOf } from '../../relay/problem-of.ts'

type Props = { messageID: string; onClose: () => void }

/** Asks before it deletes a message. */
export default function DeleteMessage({ messageID, onClose }: Props) {
  const [problem, setProblem] = useState<string | null>(null)
  const [commit, isDeleting] = useMutation<deleteMessageMutation>(graphql`
    mutation deleteMessageMutation($input: DeleteMessageInput!) {
      deleteMessage(input: $input) { message { id deletedAt text ...messageRow_message } }
    }
  `)
  const remove = async () => {
    const problem = await problemOf((config) => commit({ ...config, variables: { input: { messageID } } }))
    setProblem(problem)
    if (problem === null) onClose()
  }
  return (
    <Modal opened onClose={onClose} title="Delete this message?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text>Its text, files and reactions are removed for everyone.</Text>
      {problem && (
        <Text c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      <Group mt="md" justify="end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red" onClick={remove} loading={isDeleting}>
          Delete
        </Button>
      </Group>
    </Modal>
  )
}
