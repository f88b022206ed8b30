import { Button, FileButton, Group, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import type { GraphQLTaggedNode, MutationParameters } from 'relay-runtime'
import { uploadFile } from '../../composer/uploads/upload-file.ts'
import { Avatar, type Pictured } from '../../page/avatar.tsx'
import { ProblemText } from '../../page/problems/problem.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { errorText } from '../../relay/error-text.ts'
import { useAction } from '../../relay/use-action.ts'

type Props<M extends MutationParameters> = {
  user: Pictured
  mutation: GraphQLTaggedNode
  /** Returns the variables of the mutation that sets the picture, or removes it if the ID is null. */
  variablesFor: (avatarFileID: string | null) => M['variables']
}

/** Shows a picture, and lets the person choose another one or remove it. Each choice is saved immediately. */
export function PictureField<M extends MutationParameters>({ user, mutation, variablesFor }: Props<M>) {
  const environment = useRelayEnvironment()
  const { run, isRunning, problem } = useAction<M>(mutation)
  const { prepare, isPreparing, preparationProblem, reset } = usePreparation()
  const save = (fileID: string | null) => run(variablesFor(fileID), () => forgetDirectory(environment))
  return (
    <Group gap="md" wrap="nowrap">
      <Avatar user={user} size="xl" />
      <div>
        <Group gap="xs">
          <FileButton accept="image/*" resetRef={reset} onChange={(file) => file && prepare(file, save)}>
            {(props) => (
              <Button {...props} variant="default" size="xs" loading={isPreparing || isRunning}>
                {user.avatarURL ? 'Change the picture' : 'Choose a picture'}
              </Button>
            )}
          </FileButton>
          {user.avatarURL && (
            <Button
              variant="default"
              size="xs"
              disabled={isPreparing || isRunning}
              onClick={() => save(null)}
            >
              Remove
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed" mt={4}>
          The center of the image is used, as a square.
        </Text>
        <ProblemText problem={preparationProblem ?? problem} />
      </div>
    </Group>
  )
}

/** Cuts and uploads the image that the person has chosen. */
function usePreparation() {
  const environment = useRelayEnvironment()
  const [isPreparing, setPreparing] = useState(false)
  const [preparationProblem, setProblem] = useState<string | null>(null)
  const reset = useRef<() => void>(null)
  const upload = async (chosen: File): Promise<string> => {
    const { squarePicture } = await import('./square-picture.ts')
    const picture = await squarePicture(chosen)
    return uploadFile(environment, picture, new AbortController().signal, () => undefined)
  }
  const prepare = (chosen: File, onUploaded: (fileID: string) => void) => {
    setProblem(null)
    setPreparing(true)
    upload(chosen)
      .then(onUploaded, (error) => setProblem(errorText(error)))
      .finally(() => {
        setPreparing(false)
        // Otherwise, the same file could not be chosen again.
        reset.current?.()
      })
  }
  return { prepare, isPreparing, preparationProblem, reset }
}
