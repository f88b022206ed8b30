import { Code, Group, Stack, Text } from '@mantine/core'
import { useId } from 'react'
import { CopyButton } from '../../page/copying.tsx'
import styles from './command-block.module.css'

type Props = {
  label: string
  command: string
  /** What the button copies. */
  copies?: string
}

export function CommandBlock({ label, command, copies = 'the command' }: Props) {
  const id = useId()
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={500} id={id}>
          {label}
        </Text>
        <CopyButton size="xs" text={command} aria-label={`Copy ${copies}`} aria-describedby={id} />
      </Group>
      <Code
        block
        p="9px var(--s-3)"
        className={styles.command}
        tabIndex={0}
        role="region"
        aria-labelledby={id}
      >
        {command}
      </Code>
    </Stack>
  )
}
