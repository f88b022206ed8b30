import { Checkbox, NativeSelect, Paper, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import type {
  EventType,
  endpointFormMutation,
} from '../../../generated/console/endpointFormMutation.graphql.ts'
import type { endpointFormQuery } from '../../../generated/console/endpointFormQuery.graphql.ts'
import { Form } from '../parts/form.tsx'
import { useCommit } from '../parts/use-commit.ts'
import { typeOptions } from './event-types.ts'

/** An endpoint belongs either to an app or to a webhook. */
export type EndpointOwner =
  | { appID: string; webhookID?: undefined }
  | { webhookID: string; appID?: undefined }

type Props = { owner: EndpointOwner; onCreated: (secret: string) => void; onCancel: () => void }

export function EndpointForm({ owner, onCreated, onCancel }: Props) {
  const [url, setURL] = useState('')
  const [types, setTypes] = useState<EventType[]>([])
  const [groupID, setGroupID] = useState('')
  const { groups } = useLazyLoadQuery<endpointFormQuery>(
    graphql`query endpointFormQuery { groups(first: 100) { nodes { id name } } }`,
    {},
  )
  const { run, isBusy, problem } = useCommit<endpointFormMutation>(graphql`
    mutation endpointFormMutation($input: CreateEventEndpointInput!) {
      createEventEndpoint(input: $input) { secret }
    }
  `)
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
      { onDone: ({ createEventEndpoint }) => onCreated(createEventEndpoint?.secret ?? '') },
    )
  return (
    <Paper withBorder p="md">
      <Form
        action="Add event endpoint"
        onSubmit={create}
        problem={problem}
        isBusy={isBusy}
        onCancel={onCancel}
        isDisabled={url.trim() === ''}
      >
        <TextInput
          label="Endpoint URL"
          description="An https URL of your program."
          placeholder="https://bot.example.com/events"
          type="url"
          autoComplete="off"
          value={url}
          onChange={(event) => setURL(event.currentTarget.value)}
        />
        <Checkbox.Group
          label="Types of events"
          description="Without a choice, all types are sent."
          value={types}
          onChange={(values) => setTypes(values as EventType[])}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
            {typeOptions(owner.webhookID !== undefined).map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <NativeSelect
          label="Group"
          description="Only the events of this group and of its threads are sent."
          data={[
            { value: '', label: 'All groups' },
            ...(groups?.nodes ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={groupID}
          onChange={(event) => setGroupID(event.currentTarget.value)}
        />
      </Form>
    </Paper>
  )
}
