import { useDebouncedValue } from '@mantine/hooks'
import { useDeferredValue, useState } from 'react'
import { graphql, useRelayEnvironment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { peoplePageDeactivatedRestoreMutation } from '../../../generated/console/peoplePageDeactivatedRestoreMutation.graphql.ts'
import type { peoplePageList_group$key } from '../../../generated/console/peoplePageList_group.graphql.ts'
import type { peoplePageQuery } from '../../../generated/console/peoplePageQuery.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { FilterField } from '../../page/forms/filter-field.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { usePages } from '../../relay/use-pages.ts'
import { useReloadedQuery } from '../../relay/use-query.ts'
import { useMembersChange } from '../../session/members-change.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Row, Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteForm } from './invite-form.tsx'
import { PersonRow } from './person-row.tsx'

const pageSize = 100

export function PeoplePage() {
  const { workspaceID = '' } = useParams()
  const [words, setWords] = useState('')
  const [settledWords] = useDebouncedValue(words.trim(), 300)
  // While the people who match are loading, the page stays.
  const search = useDeferredValue(settledWords)
  const [{ viewer, group, workspace }, reload] = useReloadedQuery<peoplePageQuery>(
    graphql`
      query peoplePageQuery($workspaceID: ID!, $search: String!) {
        viewer { permissions user { id } }
        group(id: $workspaceID) { id ...peoplePageList_group @arguments(search: $search) }
        workspace(id: $workspaceID) {
          ...invitationList_workspace
          users(deleted: true, last: 100) { nodes { id name kind email } }
        }
      }
    `,
    { workspaceID, search },
  )
  useMembersChange(workspaceID, reload)
  const isAdmin = viewer?.permissions.includes('managePeople') ?? false
  return (
    <div>
      <PageHeader title="People">
        {isAdmin
          ? 'Admins can change the workspace and manage its people, apps and webhooks.'
          : 'Only admins can invite and remove people.'}
      </PageHeader>
      {isAdmin && (
        <Section title="Invite people">
          <InviteForm onInvited={reload} />
        </Section>
      )}
      {workspace && <InvitationList workspace={workspace} onChange={reload} />}
      <Section title="People of this workspace">
        <FilterField
          label="Filter people"
          placeholder="Filter by name or email address"
          value={words}
          onChange={setWords}
        />
        {group && (
          <PeopleList
            group={group}
            isAdmin={isAdmin}
            viewerID={viewer?.user.id ?? ''}
            empty={search === '' ? 'There are no people yet.' : 'Nobody matches.'}
            onChange={reload}
          />
        )}
      </Section>
      {isAdmin && <DeactivatedPeople people={workspace?.users?.nodes ?? []} onRestored={reload} />}
    </div>
  )
}

type Props = {
  group: peoplePageList_group$key
  isAdmin: boolean
  viewerID: string
  empty: string
  onChange: () => void
}

/**
 * The people of the workspace: the members of the General group without the users of apps and webhooks. Sorts those by
 * name that are loaded.
 */
function PeopleList({ group, isAdmin, viewerID, empty, onChange }: Props) {
  const { data, more } = usePages(
    graphql`
      fragment peoplePageList_group on Group
      @refetchable(queryName: "peoplePageListPageQuery")
      @argumentDefinitions(
        search: { type: "String" }
        first: { type: "Int", defaultValue: 100 }
        after: { type: "String" }
      ) {
        id
        members(search: $search, first: $first, after: $after) @connection(key: "peoplePageList_members", filters: []) {
          __id
          edges { __id node { id kind name } ...personRow_member }
        }
      }
    `,
    group,
    pageSize,
  )
  const people = (data.members?.edges ?? [])
    .filter(({ node }) => node.kind === 'person')
    .toSorted((one, other) => one.node.name.localeCompare(other.node.name))
  return (
    <Rows label="People" empty={empty} more={more}>
      {people.map((member) => (
        <PersonRow
          key={member.node.id}
          member={member}
          groupID={data.id}
          listID={data.members?.__id ?? ''}
          canChange={isAdmin && member.node.id !== viewerID}
          onChange={onChange}
        />
      ))}
    </Rows>
  )
}

type Person = { id: string; name: string; kind: string; email: string | null | undefined }
type DeactivatedPeopleProps = { people: readonly Person[]; onRestored: () => void }

/** The people who were deactivated, at most the newest 100. An admin can restore each of them. */
function DeactivatedPeople({ people, onRestored }: DeactivatedPeopleProps) {
  const environment = useRelayEnvironment()
  if (people.length === 0) return null
  return (
    <Section title="Deactivated people">
      <Rows label="Deactivated people" empty="">
        {people.map(({ id, name, kind, email }) => (
          <Row key={id} title={name} picture={{ id, name, kind }} text={email}>
            <ActionButton<peoplePageDeactivatedRestoreMutation>
              label="Restore"
              name={`Restore ${name}`}
              mutation={graphql`
                mutation peoplePageDeactivatedRestoreMutation($input: RestoreUserInput!) {
                  restoreUser(input: $input) { user { id deletedAt } }
                }
              `}
              variables={{ input: { userID: id } }}
              onDone={() => {
                forgetDirectory(environment)
                onRestored()
              }}
            />
          </Row>
        ))}
      </Rows>
    </Section>
  )
}
