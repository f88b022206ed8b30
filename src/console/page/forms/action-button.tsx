import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { GraphQLTaggedNode, MutationParameters, SelectorStoreUpdater } from 'relay-runtime'
import { useAction } from '../../relay/use-action.ts'
import { Confirmation, type ConfirmationText } from '../dialogs/confirmation.tsx'
import { isRepeated } from '../dialogs/is-repeated.ts'
import { ProblemText } from '../problems/problem.tsx'

type Props<M extends MutationParameters> = {
  label: string
  /** The accessible name, if several buttons on the page have the same label. */
  name?: string
  mutation: GraphQLTaggedNode
  variables: M['variables']
  confirmation?: ConfirmationText
  /** An icon before the label. */
  icon?: ReactNode
  /** Without a border, for a button of a table. */
  isQuiet?: boolean
  isDestructive?: boolean
  onDone?: (response: M['response']) => void
  updater?: SelectorStoreUpdater<M['response']>
}

/** The look of a button without a border. */
export const quiet = { variant: 'subtle', color: 'gray', c: 'var(--ink-2)' } as const

/** A button that runs a mutation. If it has a confirmation, it asks first. */
export function ActionButton<M extends MutationParameters>(props: Props<M>) {
  const { label, confirmation, isDestructive, onDone, updater } = props
  const [isOpen, setOpen] = useState(false)
  const { run, isRunning, problem, clear } = useAction<M>(props.mutation)
  const close = () => {
    setOpen(false)
    clear()
  }
  const act = () =>
    run(
      props.variables,
      (response) => {
        close()
        onDone?.(response)
      },
      updater,
    )
  return (
    <>
      <Button
        {...(props.isQuiet ? quiet : { variant: 'default' })}
        size="xs"
        leftSection={props.icon}
        {...(isDestructive && { c: 'var(--mantine-color-error)' })}
        {...(props.name !== undefined && { 'aria-label': props.name })}
        loading={isRunning && !confirmation}
        onClick={(event) => {
          if (isRepeated(event)) return
          if (confirmation) setOpen(true)
          else act()
        }}
      >
        {label}
      </Button>
      {!confirmation && <ProblemText problem={problem} />}
      {confirmation && (
        <Confirmation
          {...confirmation}
          action={label}
          isDestructive={isDestructive ?? false}
          isOpen={isOpen}
          isRunning={isRunning}
          problem={problem}
          onConfirm={act}
          onClose={close}
        />
      )}
    </>
  )
}
