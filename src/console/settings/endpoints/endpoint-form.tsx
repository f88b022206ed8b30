import { Paper } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { endpointFormMutation } from '../../../generated/console/endpointFormMutation.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { useAction } from '../../relay/use-action.ts'
import { EndpointFields, type EndpointValues } from './endpoint-fields.tsx'

export type EndpointOwner =
  | { appID: string; webhookID?: undefined }
  | { webhookID: string; appID?: undefined }

type Props = { owner: EndpointOwner; onCreated: (secret: string) => void; onCancel: () => void }

export function EndpointForm({ owner, onCreated, onCancel }: Props) {
  const [values, setValues] = useState<EndpointValues>({ url: '', types: [], groupID: '' })
  const { run, isRunning, problem, fieldProblems } = useAction<endpointFormMutation>(
    graphql`
    mutation endpointFormMutation($input: CreateEventEndpointInput!) {
      createEventEndpoint(input: $input) { secret }
    }
  `,
    ['url'],
  )
  const { url, types, groupID } = values
  const create = () =>
    run(
      {
        input: {
          ...owner,
          url: url.trim(),
          ...(groupID !== '' && { groupID }),
          ...(types.length > 0 && { types }),
        },
      },
      ({ createEventEndpoint }) => onCreated(createEventEndpoint?.secret ?? ''),
    )
  return (
    <Paper withBorder p="md">
      <Form
        action="Add event endpoint"
        onSubmit={create}
        problem={problem}
        isRunning={isRunning}
        onCancel={onCancel}
        isDisabled={url.trim() === ''}
      >
        <EndpointFields
          values={values}
          urlProblem={fieldProblems.url}
          isWebhook={owner.webhookID !== undefined}
          onChange={setValues}
        />
      </Form>
    </Paper>
  )
}
