import { Paper, Stack, Text } from '@mantine/core'
import { RenderedText } from '../../../page/reading/rendered-text.tsx'
import { CommandBlock } from '../../commands/command-block.tsx'
import { readableBody } from '../../commands/readable-body.ts'
import { templateFields } from './template-values.ts'
import styles from './templates.module.css'
import type { Preview } from './use-preview.ts'

/** What templates make of a body, or the reasons why they make nothing of it. */
export function PreviewedMessage({ preview: { body, preview } }: { preview: Preview }) {
  if (!preview)
    return (
      <Text size="sm">
        The body cannot be shown: it is not stored, or the call went to a group or thread that you cannot see.
      </Text>
    )
  const { fields, html, skipped, ignored, problems } = preview
  return (
    <Stack gap="sm">
      {html != null && (
        <Paper withBorder p="md">
          <RenderedText html={html} />
        </Paper>
      )}
      {fields
        .filter(({ field }) => field !== 'text')
        .map(({ field, value }) => (
          <Text key={field} size="sm" className={styles.value}>
            {labelOf(field)}: {value}
          </Text>
        ))}
      {ignored.length > 0 && (
        <Text size="sm">
          Fields that are left out, because their values are not valid: {ignored.join(', ')}
        </Text>
      )}
      {skipped && <Text size="sm">There is no message: {skipped}</Text>}
      {problems.map(({ field, message }) => (
        <Text key={`${field} ${message}`} size="sm" c="var(--mantine-color-error)">
          {labelOf(field)} {message}.
        </Text>
      ))}
      {body && <CommandBlock label="Received body" command={readableBody(body)} copies="the received body" />}
    </Stack>
  )
}

function labelOf(name: string): string {
  return templateFields.find(({ field }) => field === name)?.label ?? 'The body'
}
