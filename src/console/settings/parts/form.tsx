import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormProblem } from './form-problem.tsx'

type Props = {
  action: string
  onSubmit: () => void
  problem: string | null
  isBusy: boolean
  isDisabled?: boolean
  isSaved?: boolean
  onCancel?: () => void
  children: ReactNode
}

/** A form with its button. A failure is shown next to the button, and the input stays. */
export function Form({ action, onSubmit, problem, isBusy, isDisabled, isSaved, onCancel, children }: Props) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Stack gap="sm">
        {children}
        <FormProblem text={problem} />
        <Group gap="sm">
          <Button type="submit" loading={isBusy} disabled={isDisabled ?? false}>
            {action}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Text size="sm" role="status">
            {isSaved && 'Saved'}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}
