import { TextInput } from '@mantine/core'

type Props = { label: string; placeholder: string; value: string; onChange: (value: string) => void }

/** The field above a list that shortens the list to what matches. */
export function FilterField({ label, placeholder, value, onChange }: Props) {
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      maxLength={100}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      mb="sm"
    />
  )
}
