import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isRepeated } from '../dialogs/is-repeated.ts'
import { ProblemText } from '../problems/problem.tsx'
import type { EditState } from './use-edited.ts'

type Props = {
  action: string
  onSubmit: () => void
  problem: string | null
  isRunning: boolean
  isDisabled?: boolean
  /** The state of a form that changes an existing object. The submit button is disabled until a value has changed. */
  edit?: EditState
  onCancel?: () => void
  /** Another button beside the submit button. */
  alternative?: ReactNode
  children: ReactNode
}

/** A form with a submit button. After a failure, it shows the problem above the button and keeps the input. */
export function Form({
  action,
  onSubmit,
  problem,
  isRunning,
  isDisabled,
  edit,
  onCancel,
  alternative,
  children,
}: Props) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Stack gap="sm">
        {children}
        <ProblemText problem={problem} />
        <Group gap="sm">
          <Button
            type="submit"
            onClick={(event) => isRepeated(event) && event.preventDefault()}
            loading={isRunning}
            disabled={isDisabled || edit?.isChanged === false}
          >
            {action}
          </Button>
          {alternative}
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Text size="sm" role="status">
            {edit?.isSaved && 'Saved'}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}
