import { Button, CloseButton, Progress } from '@mantine/core'
import { useEffect, useState } from 'react'
import { FileCard } from '../../page/file-card.tsx'
import { fileSize } from '../../text/file-size.ts'
import type { Upload } from './kept-uploads.ts'
import styles from './upload-list.module.css'

const shown = ['image/avif', 'image/bmp', 'image/gif', 'image/jpeg', 'image/png', 'image/webp']

/** Returns the URL of an image that will be sent, which the browser reads from the file, or null for other files. */
function usePicture(file: File | null) {
  const [url, setURL] = useState<string | null>(null)
  useEffect(() => {
    if (!file || !shown.includes(file.type)) return
    const url = URL.createObjectURL(file)
    setURL(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return { url, onError: () => setURL(null) }
}

type Actions = { onRemove: (upload: Upload) => void; onRetry: (upload: Upload) => void }

export function UploadList({ uploads, ...actions }: { uploads: readonly Upload[] } & Actions) {
  if (uploads.length === 0) return null
  return (
    <div className={styles.files}>
      {uploads.map((upload) => (
        <UploadItem key={upload.key} upload={upload} {...actions} />
      ))}
    </div>
  )
}

/** A file as a card, or an image that is uploaded as a small picture. */
function UploadItem({ upload, onRemove, onRetry }: { upload: Upload } & Actions) {
  const { name, size, file, progress, fileID, problem, isRefused } = upload
  const isDone = fileID !== null
  const { url, onError } = usePicture(file)
  const remove = (
    <CloseButton
      size="sm"
      aria-label={isDone || problem ? `Remove ${name}` : `Cancel the upload of ${name}`}
      onClick={() => onRemove(upload)}
    />
  )
  if (isDone && url !== null)
    return (
      <div className={styles.picture}>
        <img src={url} alt={name} title={name} width={48} height={48} onError={onError} />
        {remove}
      </div>
    )
  return (
    <FileCard
      name={name}
      detail={
        problem !== null ? (
          <span className={styles.problem} role="alert">
            {problem}
          </span>
        ) : isDone ? (
          size !== null && fileSize(size)
        ) : (
          <Progress value={progress * 100} size={3} my={7} aria-label={`Upload of ${name}`} />
        )
      }
    >
      {problem !== null && file && !isRefused && (
        <Button size="compact-xs" variant="default" flex="none" onClick={() => onRetry(upload)}>
          Try again
        </Button>
      )}
      {remove}
    </FileCard>
  )
}
