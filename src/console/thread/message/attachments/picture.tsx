import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { lazyPart } from '../../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../../page/lazy/small-part.tsx'
import styles from './attachments.module.css'
import { FileCard, type ShownFile } from './file-card.tsx'

const PictureDialog = lazyPart(() => import('./picture-dialog.tsx'))

const [maxWidth, maxHeight] = [480, 320]

type Props = ShownFile & { width: number; height: number }

/** An image with a fixed size, so that the list does not move when the image loads. A click shows it larger. */
export function Picture(file: Props) {
  const { name, url, width, height } = file
  const [isOpen, setOpen] = useState(false)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <FileCard {...file} />
  const scale = Math.min(1, maxWidth / width, maxHeight / height)
  return (
    <>
      <UnstyledButton
        className={styles.picture ?? ''}
        aria-label={`Show ${name}`}
        onClick={() => setOpen(true)}
      >
        <img
          src={url}
          alt={name}
          width={Math.max(1, Math.round(width * scale))}
          height={Math.max(1, Math.round(height * scale))}
          loading="lazy"
          onError={() => setBroken(true)}
        />
      </UnstyledButton>
      {isOpen && (
        <SmallPart onClose={() => setOpen(false)}>
          <PictureDialog {...file} onClose={() => setOpen(false)} />
        </SmallPart>
      )}
    </>
  )
}
