import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { nameForm_user$key } from '../../../generated/console/nameForm_user.graphql.ts'
import type { nameFormMutation } from '../../../generated/console/nameFormMutation.graphql.ts'
import { Form } from '../parts/form.tsx'
import { useCommit } from '../parts/use-commit.ts'

export function NameForm(props: { user: nameForm_user$key }) {
  const user = useFragment(graphql`fragment nameForm_user on User { id name }`, props.user)
  const [name, setName] = useState(user.name)
  const [isSaved, setSaved] = useState(false)
  const { run, isBusy, problem } = useCommit<nameFormMutation>(graphql`
    mutation nameFormMutation($input: UpdateUserInput!) { updateUser(input: $input) { user { id name } } }
  `)
  return (
    <Form
      action="Save"
      isBusy={isBusy}
      problem={problem}
      isSaved={isSaved}
      isDisabled={name.trim() === '' || name === user.name}
      onSubmit={() => run({ input: { userID: user.id, name } }, { onDone: () => setSaved(true) })}
    >
      <TextInput
        label="Your name"
        description="Everybody in this workspace sees it."
        maxLength={100}
        autoComplete="name"
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setSaved(false)
        }}
      />
    </Form>
  )
}
