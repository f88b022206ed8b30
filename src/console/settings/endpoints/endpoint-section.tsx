import { Button, Paper } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { endpointSection_endpoints$key } from '../../../generated/console/endpointSection_endpoints.graphql.ts'
import type { endpointSectionFormMutation } from '../../../generated/console/endpointSectionFormMutation.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { useAction } from '../../relay/use-action.ts'
import { Row, Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'
import { SecretOnce, useNewSecret } from '../secrets/secret-once.tsx'
import { EndpointFields, type EndpointValues } from './endpoint-fields.tsx'
import { endpointState, typeLabel } from './event-types.ts'

type Props = { owner: EndpointOwner; endpoints: endpointSection_endpoints$key; onChange: () => void }

/** The event endpoints of an app or a webhook. There are at most 10. */
export function EndpointSection({ owner, endpoints, onChange }: Props) {
  const { workspaceID } = useParams()
  const { isAdding, secret, add, cancel, created } = useNewSecret(onChange)
  const rows = useFragment(
    graphql`
      fragment endpointSection_endpoints on EventEndpoint @relay(plural: true) {
        id url types state failingSince
      }
    `,
    endpoints,
  )
  return (
    <Section
      title="Event endpoints"
      text={
        owner.webhookID === undefined
          ? 'An event endpoint is a URL to which the service sends the events that the app can read.'
          : 'An event endpoint is a URL to which the service sends the events of the threads that the webhook started.'
      }
      actions={
        !isAdding && (
          <Button variant="default" size="xs" onClick={add}>
            Add event endpoint
          </Button>
        )
      }
    >
      {secret !== null && <SecretOnce label="Signing secret" value={secret} />}
      {isAdding && <EndpointForm owner={owner} onCreated={created} onCancel={cancel} />}
      <Rows label="Event endpoints" empty="There are no event endpoints.">
        {rows.map((endpoint) => (
          <Row
            key={endpoint.id}
            title={endpoint.url}
            to={`/${workspaceID}/settings/endpoints/${endpoint.id}`}
            text={`${endpointState(endpoint)} · ${endpoint.types?.map(typeLabel).join(', ') ?? 'All types of events'}`}
          />
        ))}
      </Rows>
    </Section>
  )
}

type EndpointOwner = { appID: string; webhookID?: undefined } | { webhookID: string; appID?: undefined }

type EndpointFormProps = { owner: EndpointOwner; onCreated: (secret: string) => void; onCancel: () => void }

function EndpointForm({ owner, onCreated, onCancel }: EndpointFormProps) {
  const [values, setValues] = useState<EndpointValues>({ url: '', types: [], groupID: '' })
  const { run, isRunning, problem, fieldProblems } = useAction<endpointSectionFormMutation>(
    graphql`
    mutation endpointSectionFormMutation($input: CreateEventEndpointInput!) {
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
