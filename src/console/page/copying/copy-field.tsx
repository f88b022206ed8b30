import { Group, TextInput } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'

type Props = { label: string; value: string; description?: string }

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
        text={value}
        aria-label={`Copy the ${label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())}`}
      />
    </Group>
  )
}
