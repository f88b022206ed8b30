import { Button, CloseButton, Group, Progress, Text } from '@mantine/core'
import { fileSize } from '../../text/file-size.ts'
import type { Upload } from './kept-uploads.ts'
import { Thumbnail } from './thumbnail.tsx'

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
