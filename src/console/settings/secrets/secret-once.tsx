import { Paper } from '@mantine/core'
import { CopyField } from '../../page/copying/copy-field.tsx'

type Props = { label: string; value: string }

/** A secret that the service shows only once. */
export function SecretOnce({ label, value }: Props) {
  return (
    <Paper withBorder p="sm" role="group" aria-label={label}>
      <CopyField label={label} value={value} description="Copy it now. It will not be shown again." />
    </Paper>
  )
}
