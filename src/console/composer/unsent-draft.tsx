import { Button, Group, Text } from '@mantine/core'
import { CopyButton } from '../page/copying.tsx'
import styles from './composer.module.css'
import { readMarkdown } from './field-text/field-markdown.ts'

type Props = { text: string; onDiscard: () => void }

/** A draft that the person can no longer send. */
export function UnsentDraft({ text: markdown, onDiscard }: Props) {
  const { text } = readMarkdown(markdown)
  return (
    <section aria-label="Draft" className={styles.draft}>
      {text !== '' && <div className={styles.text}>{text}</div>}
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          Your draft was not sent.
        </Text>
        {text !== '' && <CopyButton size="compact-xs" label="Copy text" text={text} />}
        <Button size="compact-xs" variant="default" onClick={onDiscard}>
          Discard
        </Button>
      </Group>
    </section>
  )
}
