import { TextInput } from '@mantine/core'
import { graphql, useFragment, useRelayEnvironment } from 'react-relay/hooks'
import type { nameForm_user$key } from '../../../generated/console/nameForm_user.graphql.ts'
import type { nameFormMutation } from '../../../generated/console/nameFormMutation.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { useEdited } from '../../page/forms/use-edited.ts'
import { forgetDirectory } from '../../people/directory.ts'
import { useAction } from '../../relay/use-action.ts'

export function NameForm(props: { user: nameForm_user$key }) {
  const user = useFragment(graphql`fragment nameForm_user on User { id name }`, props.user)
  const environment = useRelayEnvironment()
  const { values, changed, change, markSaved, state } = useEdited({ name: user.name })
  const { name } = values
  const { run, isRunning, problem } = useAction<nameFormMutation>(graphql`
    mutation nameFormMutation($input: UpdateUserInput!) { updateUser(input: $input) { user { id name } } }
  `)
  const save = () =>
    run({ input: { userID: user.id, ...changed } }, () => {
      forgetDirectory(environment)
      markSaved(changed)
    })
  return (
    <Form
      action="Save"
      isRunning={isRunning}
      problem={problem}
      edit={state}
      isDisabled={name.trim() === ''}
      onSubmit={save}
    >
      <TextInput
        label="Your name"
        description="Everyone in this workspace can see it."
        maxLength={100}
        autoComplete="name"
        value={name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
    </Form>
  )
}
