import { NativeSelect, Paper, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { tokenFormCreateMutation } from '../../../generated/console/tokenFormCreateMutation.graphql.ts'
import { defaultScopes } from '../../../scopes.ts'
import { Form } from '../parts/form.tsx'
import { ScopePicker } from '../parts/scope-picker.tsx'
import { useCommit } from '../parts/use-commit.ts'

type Props = { onCreated: (token: string) => void; onCancel: () => void }

const lifetimes = [7, 30, 90, 365]

export function TokenForm({ onCreated, onCancel }: Props) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [scopes, setScopes] = useState<string[]>([...defaultScopes])
  const { run, isBusy, problem } = useCommit<tokenFormCreateMutation>(graphql`
    mutation tokenFormCreateMutation($input: CreatePersonalAccessTokenInput!) {
      createPersonalAccessToken(input: $input) { accessToken }
    }
  `)
  const create = () =>
    run(
      { input: { name, scopes, expiresInDays: Number(days) } },
      { onDone: (response) => onCreated(response.createPersonalAccessToken?.accessToken ?? '') },
    )
  return (
    <Paper withBorder p="md">
      <Form
        action="Create the token"
        isBusy={isBusy}
        onCancel={onCancel}
        problem={problem}
        isDisabled={name.trim() === '' || scopes.length === 0}
        onSubmit={create}
      >
        <TextInput
          label="Token name"
          description="By this name you recognize the token later."
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
        <ScopePicker label="The token can" value={scopes} onChange={setScopes} />
      </Form>
    </Paper>
  )
}
