import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import type { EventType } from '../../../generated/console/endpointSectionFormMutation.graphql.ts'
import { EntrySelect } from '../../people/picker/entry-select.tsx'
import { typeOptions } from './event-types.ts'

/** An empty list of types means all types, and an empty group means all groups. */
export type EndpointValues = { url: string; types: EventType[]; groupID: string }

type Props = {
  values: EndpointValues
  urlProblem: string | undefined
  isWebhook: boolean
  onChange: (values: EndpointValues) => void
}

export function EndpointFields({ values, urlProblem, isWebhook, onChange }: Props) {
  return (
    <>
      <TextInput
        label="Endpoint URL"
        description="The https URL of your program. Its address must be public."
        placeholder="https://bot.example.com/events"
        type="url"
        autoComplete="off"
        error={urlProblem}
        value={values.url}
        onChange={(event) => onChange({ ...values, url: event.currentTarget.value })}
      />
      <Checkbox.Group
        label="Types of events"
        description="If you select none, all types are sent."
        value={values.types}
        onChange={(types) => onChange({ ...values, types: types as EventType[] })}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
          {typeOptions(isWebhook).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <EntrySelect
        kind="groups"
        label="Group"
        description="You can limit the events to one group and its threads."
        placeholder="All groups"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear the group' }}
        value={values.groupID || null}
        onChange={(groupID) => onChange({ ...values, groupID: groupID ?? '' })}
      />
    </>
  )
}
