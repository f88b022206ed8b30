import { Button, CloseButton, Group, Progress, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { fileSize } from '../../text/file-size.ts'
import type { Upload } from './kept-uploads.ts'
import styles from './thumbnail.module.css'

const shown = ['image/avif', 'image/bmp', 'image/gif', 'image/jpeg', 'image/png', 'image/webp']

/** A small picture of an image that will be sent. The browser reads it from the file, without the service. */
function Thumbnail({ file }: { file: File | null }) {
  const [url, setURL] = useState<string | null>(null)
  useEffect(() => {
    if (!file || !shown.includes(file.type)) return
    const url = URL.createObjectURL(file)
    setURL(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  if (url === null) return null
  // The name of the file is beside the picture.
  return (
    <img className={styles.thumbnail} src={url} alt="" width={40} height={40} onError={() => setURL(null)} />
  )
}

type Props = {
  uploads: readonly Upload[]
  onRemove: (upload: Upload) => void
  onRetry: (upload: Upload) => void
}

export function UploadList({ uploads, onRemove, onRetry }: Props) {
  return uploads.map((upload) => {
    const { key, name, size, file, progress, fileID, problem, isRefused } = upload
    const isDone = fileID !== null
    return (
      <Group key={key} gap="xs" wrap="nowrap" px="xs" py={4}>
        <Thumbnail file={file} />
        <Text size="sm" truncate miw={0} flex="0 1 auto">
          {name}
        </Text>
        <Text size="xs" c="dimmed" flex="none">
          {size !== null && fileSize(size)}
        </Text>
        {problem === null && !isDone && (
          <Progress value={progress * 100} flex={1} miw={60} aria-label={`Upload of ${name}`} />
        )}
        {problem !== null && (
          <>
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {problem}
            </Text>
            {file && !isRefused && (
              <Button size="compact-xs" variant="default" onClick={() => onRetry(upload)}>
                Try again
              </Button>
            )}
          </>
        )}
        <CloseButton
          size="sm"
          aria-label={isDone || problem ? `Remove ${name}` : `Cancel the upload of ${name}`}
          onClick={() => onRemove(upload)}
        />
      </Group>
    )
  })
}
