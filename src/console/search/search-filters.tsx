import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useRecipients } from '../people/use-recipients.ts'

type Props = { params: URLSearchParams; onChange: (name: string, value: string | null) => void }

/** The filters and the order of a search. */
export function SearchFilters({ params, onChange }: Props) {
  const { people, groups } = useRecipients()
  const field = (name: string) => ({
    value: params.get(name),
    onChange: (value: string | null) => onChange(name, value),
    clearable: true,
    clearButtonProps: { 'aria-label': 'Clear' },
  })
  const date = (name: string) => ({
    type: 'date',
    value: params.get(name) ?? '',
    onChange: (event: { currentTarget: { value: string } }) => onChange(name, event.currentTarget.value),
  })
  return (
    <SimpleGrid cols={{ base: 2, md: 3, lg: 6 }} spacing="xs">
      <Select label="Group" placeholder="Any" searchable limit={50} data={groups} {...field('group')} />
      <Select label="Author" placeholder="Anybody" searchable limit={50} data={people} {...field('author')} />
      <Select
        label="Attachments"
        placeholder="With or without"
        data={[
          { value: 'with', label: 'With' },
          { value: 'without', label: 'Without' },
        ]}
        {...field('attachments')}
      />
      <TextInput label="From" {...date('from')} />
      <TextInput label="To" {...date('to')} />
      <Select
        label="Order"
        data={[
          { value: 'newest', label: 'Newest first' },
          { value: 'best', label: 'Best match first' },
        ]}
        value={params.get('order') ?? 'newest'}
        onChange={(value) => onChange('order', value)}
        allowDeselect={false}
      />
    </SimpleGrid>
  )
}
