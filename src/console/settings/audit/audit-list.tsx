import { Button } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { auditList_workspace$key } from '../../../generated/console/auditList_workspace.graphql.ts'
import type { auditListEntry_entry$key } from '../../../generated/console/auditListEntry_entry.graphql.ts'
import type { AuditFilter, auditListQuery } from '../../../generated/console/auditListQuery.graphql.ts'
import { usePages } from '../../relay/use-pages.ts'
import { useQuery } from '../../relay/use-query.ts'
import { dateAndTime } from '../../text/time.ts'
import { Row, Rows } from '../layout/rows.tsx'
import { labelOf, meansLabel } from './action-labels.ts'

/** Somebody whose entries the list shows. */
export type Actor = { id: string; name: string }
type OnActor = (actor: Actor) => void
type Props = { workspaceID: string; filter: AuditFilter; onActor: OnActor }

export function AuditList({ workspaceID, filter, onActor }: Props) {
  const { workspace } = useQuery<auditListQuery>(
    graphql`
      query auditListQuery($workspaceID: ID!, $filter: AuditFilter) {
        workspace(id: $workspaceID) { ...auditList_workspace @arguments(filter: $filter) }
      }
    `,
    { workspaceID, filter },
    { fetchPolicy: 'store-and-network' },
  )
  return workspace && <Entries workspace={workspace} onActor={onActor} />
}

function Entries({ workspace, onActor }: { workspace: auditList_workspace$key; onActor: OnActor }) {
  const { data, more } = usePages(
    graphql`
      fragment auditList_workspace on Workspace
      @refetchable(queryName: "auditListPageQuery")
      @argumentDefinitions(
        filter: { type: "AuditFilter" }
        first: { type: "Int", defaultValue: 50 }
        after: { type: "String" }
      ) {
        auditEntries(filter: $filter, first: $first, after: $after) @connection(key: "auditList_auditEntries") {
          edges { node { id ...auditListEntry_entry } }
        }
      }
    `,
    workspace,
  )
  return (
    <Rows label="Audit log" empty="There are no entries to show." more={more}>
      {(data.auditEntries?.edges ?? []).map(({ node }) => (
        <EntryRow key={node.id} entry={node} onActor={onActor} />
      ))}
    </Rows>
  )
}

function EntryRow({ entry, onActor }: { entry: auditListEntry_entry$key; onActor: OnActor }) {
  const { action, outcome, createdAt, actor, object, address, userAgent } = useFragment(
    graphql`
      fragment auditListEntry_entry on AuditEntry {
        action outcome createdAt address userAgent
        actor { kind id name means }
        object { name }
      }
    `,
    entry,
  )
  const isOperator = actor.kind === 'operator'
  const name = isOperator ? 'The operator' : (actor.name ?? actor.id ?? 'An unknown caller')
  const title = outcome === 'refused' ? `${labelOf(action)} refused` : labelOf(action)
  const { id } = actor
  return (
    <Row
      title={object?.name ? `${title}: ${object.name}` : title}
      text={
        <>
          <bdi>{name}</bdi> ({meansLabel(actor.means)}
          {isOperator && actor.name && ` “${actor.name}”`}) · {dateAndTime(createdAt)}
          {address && (
            <>
              {' · '}
              <span title={userAgent ?? undefined}>{address}</span>
            </>
          )}
        </>
      }
    >
      {id && (
        <Button
          variant="default"
          size="xs"
          aria-label={`Show only these, of ${name}`}
          onClick={() => onActor({ id, name })}
        >
          Show only these
        </Button>
      )}
    </Row>
  )
}
