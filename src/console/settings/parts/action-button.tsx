import { Button } from '@mantine/core'
import { useState } from 'react'
import type { GraphQLTaggedNode, MutationParameters, SelectorStoreUpdater } from 'relay-runtime'
import { FormProblem } from './form-problem.tsx'
import { Question, type QuestionText } from './question.tsx'
import { useCommit } from './use-commit.ts'

type Props<M extends MutationParameters> = {
  label: string
  /** The accessible name, if several buttons of the page have the same label. */
  name?: string
  mutation: GraphQLTaggedNode
  variables: M['variables']
  /** Asks before the mutation runs. */
  question?: QuestionText
  isDestructive?: boolean
  onDone?: (response: M['response']) => void
  updater?: SelectorStoreUpdater<M['response']>
}

/** A button that runs a mutation, if necessary after a question. */
export function ActionButton<M extends MutationParameters>(props: Props<M>) {
  const { label, question, isDestructive, onDone, updater } = props
  const [isOpen, setOpen] = useState(false)
  const { run, isBusy, problem, clear } = useCommit<M>(props.mutation)
  const close = () => {
    setOpen(false)
    clear()
  }
  const act = () =>
    run(props.variables, {
      updater,
      onDone: (response) => {
        close()
        onDone?.(response)
      },
    })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        {...(isDestructive && { c: 'var(--mantine-color-error)' })}
        {...(props.name !== undefined && { 'aria-label': props.name })}
        loading={isBusy && !question}
        onClick={question ? () => setOpen(true) : act}
      >
        {label}
      </Button>
      {!question && <FormProblem text={problem} />}
      {question && (
        <Question
          {...question}
          action={label}
          isDestructive={isDestructive ?? false}
          isOpen={isOpen}
          isBusy={isBusy}
          problem={problem}
          onYes={act}
          onClose={close}
        />
      )}
    </>
  )
}
