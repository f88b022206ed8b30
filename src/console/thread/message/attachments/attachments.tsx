import { graphql, useFragment } from 'react-relay/hooks'
import type { attachments_message$key } from '../../../../generated/console/attachments_message.graphql.ts'
import styles from './attachments.module.css'
import { FileCard } from './file-card.tsx'
import { Picture } from './picture.tsx'

const shownInline = new Set(['image/avif', 'image/bmp', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'])

/** The files of a message. Images of common types are shown if their size is known. All other files are cards. */
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
          <FileCard key={file.id} {...file} />
        ),
      )}
    </div>
  )
}
