import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { scopesFormMutation } from '../../../../generated/console/scopesFormMutation.graphql.ts'
import { defaultScopes } from '../../../../scopes.ts'
import { Form } from '../../parts/form.tsx'
import { ScopePicker } from '../../parts/scope-picker.tsx'
import { useCommit } from '../../parts/use-commit.ts'

type Props = {
  appID: string
  action: string
  scopes?: readonly string[]
  onDone: () => void
  onCancel: () => void
}

/** Installs an app, or changes the scopes of its installation. */
export function ScopesForm({ appID, action, scopes = defaultScopes, onDone, onCancel }: Props) {
  const { workspaceID = '' } = useParams()
  const [chosen, setChosen] = useState([...scopes])
  const { run, isBusy, problem } = useCommit<scopesFormMutation>(graphql`
    mutation scopesFormMutation($input: InstallAppInput!) {
      installApp(input: $input) { installation { id scopes } }
    }
  `)
  return (
    <Form
      action={action}
      onSubmit={() => run({ input: { workspaceID, appID, scopes: chosen } }, { onDone })}
      problem={problem}
      isBusy={isBusy}
      onCancel={onCancel}
    >
      <ScopePicker label="The app can" value={chosen} onChange={setChosen} />
    </Form>
  )
}
