import { Anchor, Text } from '@mantine/core'
import { fileSize } from '../../../text/file-size.ts'
import styles from './attachments.module.css'

export type ShownFile = { name: string; size: number; url: string }

/** The size of a picture, and a link that downloads it. */
export function FileDetails({ name, size, url }: ShownFile) {
  return (
    <Text size="xs" c="dimmed" className={styles.details ?? ''}>
      {fileSize(size)} ·{' '}
      <Anchor href={url} download={name} size="xs" aria-label={`Download ${name}`} underline="always">
        Download
      </Anchor>
    </Text>
  )
}
