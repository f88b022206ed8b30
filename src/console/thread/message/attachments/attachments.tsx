import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { attachments_message$key } from '../../../../generated/console/attachments_message.graphql.ts'
import { FileCard } from '../../../page/file-card.tsx'
import { Icon } from '../../../page/icon.tsx'
import { lazyPart } from '../../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../../page/lazy/small-part.tsx'
import { fileSize } from '../../../text/file-size.ts'
import styles from './attachments.module.css'
import type { ShownFile } from './file-details.tsx'

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
          <File key={file.id} {...file} />
        ),
      )}
    </div>
  )
}

function File({ name, size, url }: ShownFile) {
  return (
    <FileCard name={name} detail={fileSize(size)}>
      <a
        className={styles.download}
        href={url}
        download={name}
        aria-label={`Download ${name}`}
        title="Download"
      >
        <Icon name="download" />
      </a>
    </FileCard>
  )
}

const PictureDialog = lazyPart(() => import('./picture-dialog.tsx'))

const [maxWidth, maxHeight] = [480, 320]

type Props = ShownFile & { width: number; height: number }

/** An image with a fixed size, so that the list does not move when the image loads or fails. A click shows it larger. */
function Picture(file: Props) {
  const { name, url, width, height } = file
  const [isOpen, setOpen] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const scale = Math.min(1, maxWidth / width, maxHeight / height)
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
  if (isBroken)
    return (
      <div
        className={styles.broken}
        style={{ width: size.width, aspectRatio: `${size.width} / ${size.height}` }}
      >
        <File {...file} />
      </div>
    )
  return (
    <>
      <UnstyledButton
        className={styles.picture ?? ''}
        aria-label={`Show ${name}`}
        onClick={() => setOpen(true)}
      >
        <img src={url} alt={name} {...size} loading="lazy" onError={() => setBroken(true)} />
      </UnstyledButton>
      {isOpen && (
        <SmallPart onClose={() => setOpen(false)}>
          <PictureDialog {...file} onClose={() => setOpen(false)} />
        </SmallPart>
      )}
    </>
  )
}
