import { Button, Text } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import type { endSessionsDialogMutation } from '../../../generated/console/endSessionsDialogMutation.graphql.ts'
import { Dialog } from '../../page/dialogs/dialog.tsx'
import { ProblemText } from '../../page/problems/problem.tsx'
import { useAction } from '../../relay/use-action.ts'

type Props = { user: { id: string; name: string }; onClose: () => void }

/** Asks whether to end all sessions of a person, and ends them. */
export function EndSessionsDialog({ user, onClose }: Props) {
  const { run, isDone, isRunning, problem } = useAction<endSessionsDialogMutation>(graphql`
    mutation endSessionsDialogMutation($input: EndUserSessionsInput!) { endUserSessions(input: $input) { user { id } } }
  `)
  return (
    <Dialog title={`End all sessions of ${user.name}?`} onClose={onClose}>
      <Text size="sm" role="status">
        {isDone
          ? `All sessions of ${user.name} have ended.`
          : `${user.name} is signed out in all browsers, also of other workspaces, and can sign in again. Personal access tokens and apps keep their access. To end that too, deactivate ${user.name}.`}
      </Text>
      <ProblemText problem={problem} />
      {!isDone && (
        <Button color="red" mt="md" loading={isRunning} onClick={() => run({ input: { userID: user.id } })}>
          End all sessions
        </Button>
      )}
    </Dialog>
  )
}
