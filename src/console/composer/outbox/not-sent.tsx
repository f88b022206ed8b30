import { Badge } from '@mantine/core'

/** Marks the place where the person finds a message that could not be sent. */
export function NotSent() {
  return (
    <Badge size="sm" color="red" variant="filled">
      Not sent
    </Badge>
  )
}
