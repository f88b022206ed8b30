import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { appForm_app$key } from '../../../generated/console/appForm_app.graphql.ts'
import type { appFormMutation } from '../../../generated/console/appFormMutation.graphql.ts'
import { Form } from '../parts/form.tsx'
import { useCommit } from '../parts/use-commit.ts'
import { linesOf, RedirectURIs } from './redirect-uris.tsx'

type Props = { app: appForm_app$key; isAdmin: boolean }

export function AppForm({ app, isAdmin }: Props) {
  const saved = useFragment(graphql`fragment appForm_app on App { id name redirectURIs isListed }`, app)
  const [name, setName] = useState(saved.name)
  const [redirectURIs, setRedirectURIs] = useState(saved.redirectURIs.join('\n'))
  const [isListed, setListed] = useState(saved.isListed)
  const [isSaved, setSaved] = useState(false)
  const { run, isBusy, problem } = useCommit<appFormMutation>(graphql`
    mutation appFormMutation($input: UpdateAppInput!) { updateApp(input: $input) { app { id ...appForm_app } } }
  `)
  const save = () => {
    setSaved(false)
    const input = { appID: saved.id, name, redirectURIs: linesOf(redirectURIs), ...(isAdmin && { isListed }) }
    run({ input }, { onDone: () => setSaved(true) })
  }
  return (
    <Form
      action="Save"
      onSubmit={save}
      problem={problem}
      isBusy={isBusy}
      isSaved={isSaved}
      isDisabled={name.trim() === '' || linesOf(redirectURIs).length === 0}
    >
      <TextInput
        label="Name"
        description="The existing user of the app keeps its name."
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <RedirectURIs value={redirectURIs} onChange={setRedirectURIs} />
      {isAdmin && (
        <Checkbox
          label="Listed"
          description="Admins of other workspaces can install the app."
          checked={isListed}
          onChange={(event) => setListed(event.currentTarget.checked)}
        />
      )}
    </Form>
  )
}
