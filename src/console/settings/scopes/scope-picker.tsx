import { Checkbox, List, Stack } from '@mantine/core'
import { isScope, type Scope, scopeDescriptions, scopes } from '../../../scopes.ts'

type Props = {
  label: string
  description?: string
  value: string[]
  onChange: (value: string[]) => void
  /** The scopes that can be chosen. By default, all. */
  allowed?: readonly Scope[]
}

export function ScopePicker({ label, description, value, onChange, allowed = scopes }: Props) {
  return (
    <Checkbox.Group label={label} description={description} value={value} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {allowed.map((scope) => (
          <Checkbox key={scope} value={scope} label={scopeDescriptions[scope]} description={scope} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

/** The scopes, in plain words. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  return (
    <List size="sm" spacing={2}>
      {scopes.map((scope) => (
        <List.Item key={scope}>{isScope(scope) ? scopeDescriptions[scope] : scope}</List.Item>
      ))}
    </List>
  )
}
