import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import type { useRecipientsQuery } from '../../generated/console/useRecipientsQuery.graphql.ts'
import { useAllGroups } from '../groups/use-all-groups.ts'
import { useAllUsers } from './use-all-users.ts'

type Option = { value: string; label: string }
export type Recipients = { people: Option[]; groups: Option[] }

/** Returns the people, apps and groups of the workspace as options of a field, sorted by name. */
export function useRecipients(): Recipients {
  const query = useLazyLoadQuery<useRecipientsQuery>(
    graphql`query useRecipientsQuery { ...useAllUsers_query ...useAllGroups_query }`,
    {},
    { fetchPolicy: 'store-and-network' },
  )
  const users = useAllUsers(query).filter(({ kind }) => kind !== 'webhook')
  const groups = useAllGroups(query)
  return {
    people: byName(
      users.map(({ id, name, kind }) => ({ value: id, label: kind === 'app' ? `${name} (app)` : name })),
    ),
    groups: byName(groups.map(({ id, name }) => ({ value: id, label: name }))),
  }
}

function byName(options: Option[]): Option[] {
  return options.sort((one, other) => one.label.localeCompare(other.label))
}
