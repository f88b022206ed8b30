import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

/** A link to the list from which the page was opened. Only a narrow screen needs it. */
export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <Anchor component={Link} to={to} hiddenFrom="md" size="sm" px="md" pt="xs">
      ← {label}
    </Anchor>
  )
}
