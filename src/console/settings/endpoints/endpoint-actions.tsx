import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { endpointActions_endpoint$key } from '../../../generated/console/endpointActions_endpoint.graphql.ts'
import type { endpointActionsDeleteMutation } from '../../../generated/console/endpointActionsDeleteMutation.graphql.ts'
import type { endpointActionsDisableMutation } from '../../../generated/console/endpointActionsDisableMutation.graphql.ts'
import type { endpointActionsEnableMutation } from '../../../generated/console/endpointActionsEnableMutation.graphql.ts'
import type { endpointActionsRotateMutation } from '../../../generated/console/endpointActionsRotateMutation.graphql.ts'
import type { endpointActionsTestMutation } from '../../../generated/console/endpointActionsTestMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { SecretOnce } from '../secrets/secret-once.tsx'

type Props = {
  endpoint: endpointActions_endpoint$key
  parentPath: string
  onEdit: () => void
  onChange: () => void
}

export function EndpointActions({ endpoint, parentPath, onEdit, onChange }: Props) {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const [secret, setSecret] = useState<string | null>(null)
  const { id, state } = useFragment(
    graphql`fragment endpointActions_endpoint on EventEndpoint { id state }`,
    endpoint,
  )
  const variables = { input: { endpointID: id } }
  return (
    <Stack gap="sm" mt="md">
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={onEdit}>
          Edit
        </Button>
        <ActionButton<endpointActionsTestMutation>
          label="Send a test event"
          mutation={graphql`
            mutation endpointActionsTestMutation($input: SendTestEventInput!) {
              sendTestEvent(input: $input) { delivery { id } }
            }
          `}
          variables={variables}
          onDone={onChange}
        />
        {state === 'active' ? (
          <ActionButton<endpointActionsDisableMutation>
            label="Disable"
            isDestructive
            confirmation={{
              title: 'Disable the endpoint?',
              text: 'No events are sent to it until you enable it again.',
            }}
            mutation={graphql`
              mutation endpointActionsDisableMutation($input: DisableEventEndpointInput!) {
                disableEventEndpoint(input: $input) { eventEndpoint { id state failingSince } }
              }
            `}
            variables={variables}
            onDone={onChange}
          />
        ) : (
          <ActionButton<endpointActionsEnableMutation>
            label="Enable"
            mutation={graphql`
              mutation endpointActionsEnableMutation($input: EnableEventEndpointInput!) {
                enableEventEndpoint(input: $input) { eventEndpoint { id state failingSince } }
              }
            `}
            variables={variables}
            onDone={onChange}
          />
        )}
        <ActionButton<endpointActionsRotateMutation>
          label="Replace the signing secret"
          confirmation={{
            title: 'Replace the signing secret?',
            text: 'For 24 hours, events are signed with both secrets. Give your program the new secret within this time.',
          }}
          mutation={graphql`
            mutation endpointActionsRotateMutation($input: RotateEventEndpointSecretInput!) {
              rotateEventEndpointSecret(input: $input) { secret eventEndpoint { id previousSecretEndsAt } }
            }
          `}
          variables={variables}
          onDone={({ rotateEventEndpointSecret }) => setSecret(rotateEventEndpointSecret?.secret ?? null)}
        />
        <ActionButton<endpointActionsDeleteMutation>
          label="Delete the endpoint"
          isDestructive
          confirmation={{
            title: 'Delete the endpoint?',
            text: 'No more events are sent to it, and its deliveries are deleted. This cannot be undone.',
          }}
          mutation={graphql`
            mutation endpointActionsDeleteMutation($input: DeleteEventEndpointInput!) {
              deleteEventEndpoint(input: $input) { removedEventEndpointID }
            }
          `}
          variables={variables}
          onDone={() => navigate(`/${workspaceID}/settings/${parentPath}`)}
        />
      </Group>
      {secret !== null && <SecretOnce label="Signing secret" value={secret} />}
    </Stack>
  )
}
