import { MultiSelect, type MultiSelectProps, Pill, VisuallyHidden } from '@mantine/core'
import { EntryLine, EntryName } from '../entry-label.tsx'
import { hasHighlight, usePicker } from './use-picker.ts'

type Props = Omit<MultiSelectProps, 'data' | 'value'> & {
  value: readonly string[]
  /** Recipients of a thread are people, apps and groups. Members of a group are people, apps and webhooks. */
  kind?: 'recipients' | 'members' | 'groups'
  without?: ReadonlySet<string>
}

const nobody: ReadonlySet<string> = new Set()

export function RecipientSelect({ kind = 'recipients', without = nobody, value, onChange, ...props }: Props) {
  const picker = usePicker(value, { showsName: false })
  const rest = ({ value: id }: { value: string }) => !without.has(id) && !value.includes(id)
  const others =
    kind === 'members'
      ? { group: 'Webhooks', items: picker.webhooks.filter(rest) }
      : { group: 'Groups', items: picker.groups.filter(rest) }
  // The section with the best match is first. If both match equally, people are first.
  const people = { group: 'People', items: kind === 'groups' ? [] : picker.people.filter(rest) }
  const sections = [people, others]
    .filter(({ items }) => items.length > 0)
    .toSorted((one, other) => picker.rankOf(one.items[0]) - picker.rankOf(other.items[0]))
  const first = sections[0]?.items[0]
  return (
    <>
      <MultiSelect
        hidePickedOptions
        openOnFocus={false}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove all' }}
        placeholder={value.length > 0 ? undefined : 'Type a name'}
        {...props}
        {...picker.props}
        renderOption={({ option }) => {
          const entry = picker.entryOf(option.value)
          return entry ? <EntryLine entry={entry} /> : option.label
        }}
        renderPill={({ option, onRemove, disabled }) => (
          <Pill
            withRemoveButton={!props.readOnly}
            disabled={disabled ?? false}
            {...(onRemove && { onRemove })}
          >
            <EntryName entry={picker.entryOf(`${option.value}`)} label={option.label} />
          </Pill>
        )}
        dropdownOpened={picker.isOpen}
        selectFirstOptionOnChange={picker.takesFirst}
        value={[...value]}
        onChange={(ids) => {
          onChange?.(ids)
          picker.close()
        }}
        onKeyDown={(event) => {
          // Enter can also end a composition, for example in Japanese.
          if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229) return
          picker.props.onKeyDown(event)
          if (event.key !== 'Enter' || !picker.takesFirst || !first) return
          if (hasHighlight(event.currentTarget)) return
          event.preventDefault()
          onChange?.([...value, first.value])
          picker.close()
        }}
        // The service has filtered the options.
        filter={({ options }) => options}
        data={[...picker.selectedOptions, ...sections]}
      />
      <VisuallyHidden role="status">
        {picker.announcement(sections.flatMap(({ items }) => items).length, first)}
      </VisuallyHidden>
    </>
  )
}
