import { Box, Button, Select, SimpleGrid, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { EntrySelect } from '../people/picker/entry-select.tsx'

type Props = { params: URLSearchParams; onChange: (name: string, value: string | null) => void }

export function SearchFilters({ params, onChange }: Props) {
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
      <EntrySelect kind="groups" label="Group" placeholder="Any group" {...field('group')} />
      <EntrySelect kind="people" label="Author" placeholder="Anyone" {...field('author')} />
      <Select
        label="Attachments"
        placeholder="Any"
        data={[
          { value: 'with', label: 'With attachments' },
          { value: 'without', label: 'Without attachments' },
        ]}
        {...field('attachments')}
      />
      <TextInput label="From date" {...date('from')} />
      <TextInput label="To date" {...date('to')} />
      <Select
        label="Sort by"
        data={[
          { value: 'newest', label: 'Newest first' },
          { value: 'best', label: 'Best match' },
        ]}
        value={params.get('order') ?? 'newest'}
        onChange={(value) => onChange('order', value)}
        allowDeselect={false}
      />
    </SimpleGrid>
  )
}

/** The filters of a search. On a phone, they are behind a button that shows the number of active filters. */
export function FoldedFilters({ active, children }: { active: number; children: ReactNode }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        hiddenFrom="sm"
        variant="default"
        size="xs"
        mb="sm"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {active > 0 ? `Filters (${active})` : 'Filters'}
      </Button>
      <Box id={id} {...(!isOpen && { visibleFrom: 'sm' })}>
        {children}
      </Box>
    </>
  )
}
