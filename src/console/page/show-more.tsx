import { Button } from '@mantine/core'

type Props = { hasMore: boolean; isLoading: boolean; onMore: () => void }

/** A button below a list. It loads the next page of the list. */
export function ShowMore({ hasMore, isLoading, onMore }: Props) {
  if (!hasMore) return null
  return (
    <Button variant="default" mt="sm" loading={isLoading} onClick={onMore}>
      Show more
    </Button>
  )
}
