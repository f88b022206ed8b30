import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import type { Recipients } from './use-recipients.ts'

type Props = Omit<MultiSelectProps, 'data'> & { options: Recipients; without?: ReadonlySet<string> }

const nobody: ReadonlySet<string> = new Set()

/** A field for any mix of people and groups. */
export function RecipientSelect({ options, without = nobody, ...props }: Props) {
  const rest = ({ value }: { value: string }) => !without.has(value)
  return (
    <MultiSelect
      searchable
      hidePickedOptions
      openOnFocus={false}
      clearable
      clearButtonProps={{ 'aria-label': 'Remove all' }}
      limit={50}
      nothingFoundMessage="Nobody has this name"
      placeholder={props.value?.length ? undefined : 'Type a name'}
      {...props}
      data={[
        { group: 'Groups', items: options.groups.filter(rest) },
        { group: 'People', items: options.people.filter(rest) },
      ]}
    />
  )
}
