import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormProblem } from './form-problem.tsx'

type Props = {
  action: string
  onSubmit: () => void
  problem: string | null
  isBusy: boolean
  isDisabled?: boolean
  isSaved?: boolean
  children: ReactNode
}

/** A form with its button. A failure is shown next to the button, and the input stays. */
export function Form({ action, onSubmit, problem, isBusy, isDisabled, isSaved, children }: Props) {
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
          <span role="status">{isSaved && 'Saved'}</span>
        </Group>
      </Stack>
    </form>
  )
}
