import { graphql, useRelayEnvironment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { peoplePageDeactivatedRestoreMutation } from '../../../generated/console/peoplePageDeactivatedRestoreMutation.graphql.ts'
import type { peoplePageList_group$key } from '../../../generated/console/peoplePageList_group.graphql.ts'
import type { peoplePageQuery } from '../../../generated/console/peoplePageQuery.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { usePages } from '../../relay/use-pages.ts'
import { useReloadedQuery } from '../../relay/use-query.ts'
import { useMembersChange } from '../../session/members-change.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Row, Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'
import { InviteForm } from './invite-form.tsx'
import { PersonRow } from './person-row.tsx'

export function PeoplePage() {
  const { workspaceID = '' } = useParams()
  const [{ viewer, group, workspace }, reload] = useReloadedQuery<peoplePageQuery>(
    graphql`
      query peoplePageQuery($workspaceID: ID!) {
        viewer { permissions user { id } }
        group(id: $workspaceID) { id ...peoplePageList_group }
        workspace(id: $workspaceID) { users(deleted: true, last: 100) { nodes { id name email } } }
      }
    `,
    { workspaceID },
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
        <Section title="Invite a person">
          <InviteForm workspaceID={workspaceID} onInvited={reload} />
        </Section>
      )}
      <Section title="People of this workspace">
        {group && <PeopleList group={group} isAdmin={isAdmin} viewerID={viewer?.user.id ?? ''} />}
      </Section>
      {isAdmin && <DeactivatedPeople people={workspace?.users?.nodes ?? []} onRestored={reload} />}
    </div>
  )
}

type Props = { group: peoplePageList_group$key; isAdmin: boolean; viewerID: string }

/** The people of the workspace, who are the members of the General group. Users of apps and webhooks are left out. */
function PeopleList({ group, isAdmin, viewerID }: Props) {
  const { data, more } = usePages(
    graphql`
      fragment peoplePageList_group on Group
      @refetchable(queryName: "peoplePageListPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        id
        members(first: $first, after: $after) @connection(key: "peoplePageList_members") {
          __id
          edges { __id node { id kind } ...personRow_member }
        }
      }
    `,
    group,
  )
  const people = (data.members?.edges ?? []).filter(({ node }) => node.kind === 'person')
  return (
    <Rows label="People" empty="There are no people yet." more={more}>
      {people.map((member) => (
        <PersonRow
          key={member.node.id}
          member={member}
          groupID={data.id}
          listID={data.members?.__id ?? ''}
          canChange={isAdmin && member.node.id !== viewerID}
        />
      ))}
    </Rows>
  )
}

type Person = { id: string; name: string; email: string | null | undefined }
type DeactivatedPeopleProps = { people: readonly Person[]; onRestored: () => void }

/** The people who were deactivated, at most the newest 100. An admin can restore each of them. */
function DeactivatedPeople({ people, onRestored }: DeactivatedPeopleProps) {
  const environment = useRelayEnvironment()
  if (people.length === 0) return null
  return (
    <Section title="Deactivated people">
      <Rows label="Deactivated people" empty="">
        {people.map(({ id, name, email }) => (
          <Row key={id} title={name} text={email}>
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
