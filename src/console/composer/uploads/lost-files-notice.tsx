import { CloseButton, Group, Text } from '@mantine/core'

type Props = { count: number; onDismiss: () => void }

/** Says that files are no longer attached, because the page was closed or reloaded before they were sent. */
export function LostFilesNotice({ count, onDismiss }: Props) {
  if (count === 0) return null
  return (
    <Group gap="xs" wrap="nowrap" px="xs" py={4}>
      <Text size="sm" role="status">
        {count === 1
          ? '1 file was not kept. Attach it again.'
          : `${count} files were not kept. Attach them again.`}
      </Text>
      <CloseButton size="sm" aria-label="Dismiss" onClick={onDismiss} />
    </Group>
  )
}
