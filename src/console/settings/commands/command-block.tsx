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
        <CopyButton text={command} aria-label={`Copy ${copies}`} aria-describedby={id} />
      </Group>
      <Code block className={styles.command} tabIndex={0} role="region" aria-labelledby={id}>
        {command}
      </Code>
    </Stack>
  )
}

/** Returns a curl command that prints the response, for a POSIX shell. Each of the options is on its own line. */
export function curlCommand(url: string, options: readonly (readonly [option: string, value: string])[]) {
  const lines = options.map(([option, value]) => `${option} ${quote(value)}`)
  return [`curl -sS -w '\\n' ${quote(url)}`, ...lines].join(' \\\n  ')
}

export function curlJSON(url: string, body: object, headers: readonly string[] = []): string {
  return curlCommand(url, [
    ...['Content-Type: application/json', ...headers].map((header) => ['-H', header] as const),
    ['-d', JSON.stringify(body)],
  ])
}

/** In single quotes, a shell takes everything literally except a single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
