import { graphql, useFragment } from 'react-relay/hooks'
import type { appForm_app$key } from '../../../../generated/console/appForm_app.graphql.ts'
import type { appFormMutation } from '../../../../generated/console/appFormMutation.graphql.ts'
import { Form } from '../../../page/forms/form.tsx'
import { useEdited } from '../../../page/forms/use-edited.ts'
import { useAction } from '../../../relay/use-action.ts'
import { AppFields, linesOf } from './app-fields.tsx'

type Props = { app: appForm_app$key; isAdmin: boolean }

export function AppForm({ app, isAdmin }: Props) {
  const { id, ...saved } = useFragment(
    graphql`fragment appForm_app on App { id name description redirectURIs isListed }`,
    app,
  )
  const { values, changed, change, markSaved, state } = useEdited({
    ...saved,
    description: saved.description ?? '',
    redirectURIs: saved.redirectURIs.join('\n'),
  })
  const { run, isRunning, problem } = useAction<appFormMutation>(graphql`
    mutation appFormMutation($input: UpdateAppInput!) { updateApp(input: $input) { app { id ...appForm_app } } }
  `)
  const save = () => {
    const { description, redirectURIs, ...others } = changed
    const input = {
      appID: id,
      ...others,
      ...(description !== undefined && { description: description.trim() || null }),
      ...(redirectURIs !== undefined && { redirectURIs: linesOf(redirectURIs) }),
    }
    run({ input }, () => markSaved(changed))
  }
  return (
    <Form action="Save" onSubmit={save} problem={problem} isRunning={isRunning} edit={state}>
      <AppFields
        values={values}
        nameHelp="A new name does not change the name of the user that the app acts as."
        isAdmin={isAdmin}
        onChange={change}
      />
    </Form>
  )
}
