import { type ReactNode, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { scopesFormMutation } from '../../../../generated/console/scopesFormMutation.graphql.ts'
import { defaultScopes } from '../../../../scopes.ts'
import { Form } from '../../../page/forms/form.tsx'
import { useAction } from '../../../relay/use-action.ts'
import { ScopePicker } from '../../scopes/scope-picker.tsx'

type Props = {
  appID: string
  action: string
  /** The scopes of the installation that the form changes. */
  scopes?: readonly string[]
  onDone: () => void
  onCancel?: () => void
  /** Fields above the scopes. */
  children?: ReactNode
}

/** Installs an app, or changes the scopes of its installation. */
export function ScopesForm({ appID, action, scopes, onDone, onCancel, children }: Props) {
  const { workspaceID = '' } = useParams()
  const [edited, setEdited] = useState<string[] | null>(null)
  const chosen = edited ?? [...(scopes ?? defaultScopes)]
  const { run, isRunning, problem } = useAction<scopesFormMutation>(graphql`
    mutation scopesFormMutation($input: InstallAppInput!) {
      installApp(input: $input) { installation { id scopes } }
    }
  `)
  return (
    <Form
      action={action}
      onSubmit={() => run({ input: { workspaceID, appID, scopes: chosen } }, onDone)}
      problem={problem}
      isRunning={isRunning}
      isDisabled={appID === ''}
      {...(scopes && { edit: { isChanged: !isSame(chosen, scopes), isSaved: false } })}
      {...(onCancel && { onCancel })}
    >
      {children}
      <ScopePicker label="Permissions of the app" value={chosen} onChange={setEdited} />
    </Form>
  )
}

function isSame(chosen: readonly string[], scopes: readonly string[]): boolean {
  return chosen.length === scopes.length && chosen.every((scope) => scopes.includes(scope))
}
