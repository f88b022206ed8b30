import { Paper } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { editEndpoint_endpoint$key } from '../../../generated/console/editEndpoint_endpoint.graphql.ts'
import type {
  EventType,
  editEndpointMutation,
} from '../../../generated/console/editEndpointMutation.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { useEdited } from '../../page/forms/use-edited.ts'
import { useAction } from '../../relay/use-action.ts'
import { EndpointFields, type EndpointValues } from './endpoint-fields.tsx'

type Props = { endpoint: editEndpoint_endpoint$key; onClose: () => void }

/** Changes the URL, the types of events and the group of an endpoint. Its signing secret stays the same. */
export function EditEndpoint({ onClose, ...props }: Props) {
  const endpoint = useFragment(
    graphql`fragment editEndpoint_endpoint on EventEndpoint { id url types groupID webhookID }`,
    props.endpoint,
  )
  const { values, changed, change, state } = useEdited<EndpointValues>({
    url: endpoint.url,
    types: (endpoint.types ?? []) as EventType[],
    groupID: endpoint.groupID ?? '',
  })
  const { run, isRunning, problem, fieldProblems } = useAction<editEndpointMutation>(
    graphql`
    mutation editEndpointMutation($input: UpdateEventEndpointInput!) {
      updateEventEndpoint(input: $input) { eventEndpoint { id url types groupID state failingSince } }
    }
  `,
    ['url'],
  )
  const save = () => {
    const { url, types, groupID } = changed
    const input = {
      endpointID: endpoint.id,
      ...(url !== undefined && { url: url.trim() }),
      ...(types !== undefined && { types: types.length > 0 ? types : null }),
      ...(groupID !== undefined && { groupID: groupID || null }),
    }
    run({ input }, onClose)
  }
  return (
    <Paper withBorder p="md" mt="md" component="section" aria-label="Edit the endpoint">
      <Form
        action="Save"
        onSubmit={save}
        problem={problem}
        isRunning={isRunning}
        onCancel={onClose}
        edit={state}
        isDisabled={values.url.trim() === ''}
      >
        <EndpointFields
          values={values}
          urlProblem={fieldProblems.url}
          isWebhook={endpoint.webhookID != null}
          onChange={change}
        />
      </Form>
    </Paper>
  )
}
