import { Button } from '@mantine/core'

type Props = { hasMore: boolean; isLoading: boolean; onMore: () => void }

/** The button below a list that loads its next page. */
export function ShowMore({ hasMore, isLoading, onMore }: Props) {
  if (!hasMore) return null
  return (
    <Button variant="default" mt="sm" loading={isLoading} onClick={onMore}>
      Show more
    </Button>
  )
}
