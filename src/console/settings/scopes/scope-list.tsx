import { List } from '@mantine/core'
import { isScope, scopeDescriptions } from '../../../scopes.ts'

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
