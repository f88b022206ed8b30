import { NativeSelect, Paper, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { tokenFormCreateMutation } from '../../../generated/console/tokenFormCreateMutation.graphql.ts'
import { defaultScopes } from '../../../scopes.ts'
import { Form } from '../../page/forms/form.tsx'
import { useAction } from '../../relay/use-action.ts'
import { ScopePicker } from '../scopes/scope-picker.tsx'

type Props = { onCreated: (token: string) => void; onCancel: () => void }

const lifetimes = [7, 30, 90, 365]

export function TokenForm({ onCreated, onCancel }: Props) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [scopes, setScopes] = useState<string[]>([...defaultScopes])
  const { run, isRunning, problem } = useAction<tokenFormCreateMutation>(graphql`
    mutation tokenFormCreateMutation($input: CreatePersonalAccessTokenInput!) {
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
      </Form>
    </Paper>
  )
}
