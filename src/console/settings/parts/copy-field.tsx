import { Group, TextInput } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'

type Props = { label: string; value: string; description?: string }

/** A text that cannot be changed, with a button that copies it. */
export function CopyField({ label, value, description }: Props) {
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <TextInput
        flex={1}
        miw={0}
        readOnly
        label={label}
        description={description}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton
        value={value}
        name={`the ${label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())}`}
      />
    </Group>
  )
}
