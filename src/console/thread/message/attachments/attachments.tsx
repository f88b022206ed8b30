import { Anchor, Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { attachments_message$key } from '../../../../generated/console/attachments_message.graphql.ts'
import { fileSize } from '../../../text/file-size.ts'
import styles from './attachments.module.css'

type File = {
  name: string
  size: number
  contentType: string
  width?: number | null
  height?: number | null
  url: string
}

const shownInline = new Set(['image/avif', 'image/bmp', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'])
const maxHeight = 320

export function Attachments(props: { message: attachments_message$key }) {
  const { attachments } = useFragment(
    graphql`
      fragment attachments_message on Message {
        attachments(first: 10) { nodes { id name size contentType width height url } }
      }
    `,
    props.message,
  )
  if (attachments.nodes.length === 0) return null
  return (
    <div className={styles.files}>
      {attachments.nodes.map((file) =>
        file.width && file.height && shownInline.has(file.contentType) ? (
          <Picture key={file.id} {...file} width={file.width} height={file.height} />
        ) : (
          <Card key={file.id} {...file} />
        ),
      )}
    </div>
  )
}

/** The size is known before the image is loaded. Therefore the list does not move. */
function Picture({ name, url, width, height }: File & { width: number; height: number }) {
  const scale = Math.min(1, maxHeight / height)
  return (
    <a href={url} download={name} title={`Download ${name}`} className={styles.picture}>
      <img
        src={url}
        alt={name}
        width={Math.round(width * scale)}
        height={Math.round(height * scale)}
        loading="lazy"
      />
    </a>
  )
}

function Card({ name, size, url }: File) {
  return (
    <div className={styles.card}>
      <Text size="sm" fw={500} truncate title={name}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {fileSize(size)} ·{' '}
        <Anchor href={url} download={name} size="xs" aria-label={`Download ${name}`} underline="always">
          Download
        </Anchor>
      </Text>
    </div>
  )
}
