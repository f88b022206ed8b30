import { Anchor, Text } from '@mantine/core'
import { fileSize } from '../../../text/file-size.ts'
import styles from './attachments.module.css'

export type ShownFile = { name: string; size: number; url: string }

/** A file that is not shown in the message. */
export function FileCard(file: ShownFile) {
  return (
    <div className={styles.card}>
      <Text size="sm" fw={500} truncate title={file.name}>
        <bdi>{file.name}</bdi>
      </Text>
      <FileDetails {...file} />
    </div>
  )
}

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
