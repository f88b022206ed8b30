import { Anchor, Button, NativeSelect, Paper, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  personalTokens_viewer$data,
  personalTokens_viewer$key,
} from '../../../generated/console/personalTokens_viewer.graphql.ts'
import type { personalTokensFormCreateMutation } from '../../../generated/console/personalTokensFormCreateMutation.graphql.ts'
import type { personalTokensRowRevokeMutation } from '../../../generated/console/personalTokensRowRevokeMutation.graphql.ts'
import { defaultScopes } from '../../../scopes.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { Form } from '../../page/forms/form.tsx'
import { useAction } from '../../relay/use-action.ts'
import { dateAndMinute, dateOf } from '../../text/time.ts'
import { Row, Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'
import { ScopePicker } from '../scopes/scope-picker.tsx'
import { SecretOnce, useNewSecret } from '../secrets/secret-once.tsx'

type Props = { viewer: personalTokens_viewer$key; onChange: () => void }

/** The personal access tokens of the person. There are at most 50. */
export function PersonalTokens({ viewer, onChange }: Props) {
  const { isAdding, secret, add, cancel, created } = useNewSecret(onChange)
  const { personalAccessTokens } = useFragment(
    graphql`
      fragment personalTokens_viewer on Viewer {
        personalAccessTokens(first: 100) { nodes { id name scopes expiresAt lastUsedAt } }
      }
    `,
    viewer,
  )
  return (
    <Section
      title="Personal access tokens"
      text="With a token, your own programs can use the API as you in this workspace."
      actions={!isAdding && <Button onClick={add}>Create token</Button>}
    >
      {secret !== null && <SecretOnce label="Personal access token" value={secret} />}
      {isAdding && <TokenForm onCreated={created} onCancel={cancel} />}
      <Rows label="Personal access tokens" empty="You have no tokens.">
        {(personalAccessTokens?.nodes ?? []).map((token) => (
          <TokenRow key={token.id} token={token} onRevoked={onChange} />
        ))}
      </Rows>
    </Section>
  )
}

type TokenRowProps = {
  token: NonNullable<personalTokens_viewer$data['personalAccessTokens']>['nodes'][number]
  onRevoked: () => void
}

function TokenRow({ token, onRevoked }: TokenRowProps) {
  const { id, name, scopes, expiresAt, lastUsedAt } = token
  const used = lastUsedAt ? `Last used ${dateAndMinute(lastUsedAt)}` : 'Never used'
  return (
    <Row
      title={name}
      text={
        <>
          {used}. Expires on {dateOf(expiresAt)}.
          <br />
          {scopes.join(', ')}
        </>
      }
    >
      <ActionButton<personalTokensRowRevokeMutation>
        label="Revoke"
        name={`Revoke ${name}`}
        isDestructive
        confirmation={{
          title: `Revoke “${name}”?`,
          text: 'Programs that use this token stop working immediately.',
        }}
        mutation={graphql`
          mutation personalTokensRowRevokeMutation($input: RevokePersonalAccessTokenInput!) {
            revokePersonalAccessToken(input: $input) { removedPersonalAccessTokenID }
          }
        `}
        variables={{ input: { personalAccessTokenID: id } }}
        onDone={onRevoked}
      />
    </Row>
  )
}

type TokenFormProps = { onCreated: (token: string) => void; onCancel: () => void }

const lifetimes = [7, 30, 90, 365]

function TokenForm({ onCreated, onCancel }: TokenFormProps) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [scopes, setScopes] = useState<string[]>([...defaultScopes])
  const { run, isRunning, problem, reason } = useAction<personalTokensFormCreateMutation>(graphql`
    mutation personalTokensFormCreateMutation($input: CreatePersonalAccessTokenInput!) {
      createPersonalAccessToken(input: $input) { accessToken }
    }
  `)
  const create = () =>
    run({ input: { name, scopes, expiresInDays: Number(days) } }, (response) =>
      onCreated(response.createPersonalAccessToken?.accessToken ?? ''),
    )
  return (
    <Paper withBorder p="md">
      <Form
        action="Create token"
        isRunning={isRunning}
        onCancel={onCancel}
        problem={problem}
        isDisabled={name.trim() === '' || scopes.length === 0}
        onSubmit={create}
      >
        <TextInput
          label="Token name"
          description="For example, the program that uses the token."
          maxLength={100}
          placeholder="Backup script"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label="Expires after"
          value={days}
          data={lifetimes.map((value) => ({ value: String(value), label: `${value} days` }))}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <ScopePicker label="Permissions of the token" value={scopes} onChange={setScopes} />
        {reason === 'SIGN_IN_TOO_OLD' && (
          <Anchor href={`/signin?prompt=login&continue=${encodeURIComponent(location.pathname)}`} size="sm">
            Sign in again
          </Anchor>
        )}
      </Form>
    </Paper>
  )
}
