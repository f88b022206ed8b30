import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

/** A link to the list that the page was opened from. Only a narrow screen needs it. */
export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <Anchor component={Link} to={to} hiddenFrom="md" size="sm" px="md" pt="xs">
      ← {label}
    </Anchor>
  )
}
