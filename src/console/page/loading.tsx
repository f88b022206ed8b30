import { Center, Loader } from '@mantine/core'

export function Loading() {
  return (
    <Center p="xl" role="status" aria-label="Loading">
      <Loader size="sm" />
    </Center>
  )
}
