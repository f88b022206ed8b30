import { Select, type SelectProps, VisuallyHidden } from '@mantine/core'
import { EntryLine } from '../entry-label.tsx'
import { hasHighlight, usePicker } from './use-picker.ts'

type Props = Omit<SelectProps, 'data' | 'value'> & {
  kind: 'people' | 'groups' | 'publicGroups'
  value: string | null
  /** The ID of an entry that cannot be chosen. */
  without?: string
}

/** A field for one person or app, or for one group. */
export function EntrySelect({ kind, value, without, onChange, clearButtonProps, ...props }: Props) {
  const picker = usePicker(value === null ? [] : [value], { showsName: true })
  const found = picker[kind].filter(({ value: id }) => id !== without)
  const isFound = (one: { value: string }) => found.some(({ value: id }) => id === one.value)
  const first = found.find(({ value: id }) => id === value) ?? found[0]
  const others = found.filter(({ value: id }) => id !== value)
  return (
    <>
      <Select
        {...props}
        {...picker.props}
        // Otherwise, only the mouse could clear the field.
        clearButtonProps={{ 'aria-hidden': false, tabIndex: 0, ...clearButtonProps }}
        renderOption={({ option }) => {
          const entry = picker.entryOf(option.value)
          return entry ? <EntryLine entry={entry} /> : option.label
        }}
        dropdownOpened={picker.isOpen}
        // A list that opens by itself would cover what is below.
        openOnFocus={!props.autoFocus}
        selectFirstOptionOnChange={picker.takesFirst && picker.isTyping}
        allowDeselect={false}
        value={value}
        onChange={onChange}
        onKeyDown={(event) => {
          picker.props.onKeyDown(event)
          if (event.key !== 'Enter' || !picker.isOpen) return
          // Otherwise, Enter would submit the form around the field without what the person has just typed.
          event.preventDefault()
          if (!first || !picker.takesFirst || !picker.isTyping) return
          if (hasHighlight(event.currentTarget)) return
          onChange?.(first.value, first)
          picker.close()
          if (first.value === value) picker.props.onSearchChange(first.label)
        }}
        // The service has already filtered the options. The selected option is always in the list, because the field
        // takes its text from the list. It is hidden while it does not match.
        filter={({ options }) =>
          options.filter((one) => !picker.isTyping || ('value' in one && isFound(one)))
        }
        data={[...picker.selectedOptions, ...others]}
      />
      <VisuallyHidden role="status">
        {picker.announcement(found.length, picker.isTyping ? first : undefined)}
      </VisuallyHidden>
    </>
  )
}
