import { Button } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import type {
  invitationList_workspace$data,
  invitationList_workspace$key,
} from '../../../generated/console/invitationList_workspace.graphql.ts'
import type { invitationListRevokeMutation } from '../../../generated/console/invitationListRevokeMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { usePages } from '../../relay/use-pages.ts'
import { dateAndMinute, dateOf } from '../../text/time.ts'
import { Row, Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'
import { NewLink } from './new-link.tsx'

type Props = { workspace: invitationList_workspace$key; onChange: () => void }

/** The invitations that nobody has accepted, also those that have expired. */
export function InvitationList({ workspace, onChange }: Props) {
  const { data, more } = usePages(
    graphql`
      fragment invitationList_workspace on Workspace
      @refetchable(queryName: "invitationListPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        invitations(first: $first, after: $after) @connection(key: "invitationList_invitations") {
          edges { node { createdAt expiresAt inviter { name } user { id name email } } }
        }
      }
    `,
    workspace,
  )
  const invitations = data.invitations?.edges ?? []
  if (invitations.length === 0) return null
  return (
    <Section title="Invitations" text="A person leaves this list when they join.">
      <Rows label="Invitations" empty="" more={more}>
        {invitations.map(({ node }) => (
          <InvitationRow key={node.user.id} invitation={node} onChange={onChange} />
        ))}
      </Rows>
    </Section>
  )
}

type Invitation = NonNullable<invitationList_workspace$data['invitations']>['edges'][number]['node']

function InvitationRow({ invitation, onChange }: { invitation: Invitation; onChange: () => void }) {
  const { user, inviter, createdAt, expiresAt } = invitation
  const email = user.email ?? user.name
  const by = inviter ? `Invited by ${inviter.name}` : 'Invited'
  const isExpired = new Date(expiresAt).getTime() < Date.now()
  const end = `${isExpired ? 'Expired' : 'Expires'} on ${dateAndMinute(expiresAt)}.`
  return (
    <Row title={email} text={`${by} on ${dateOf(createdAt)}. ${end}`}>
      <NewLink user={user} email={email} onInvited={onChange}>
        {(invite) => (
          <Button variant="default" size="xs" aria-label={`New link for ${email}`} onClick={invite}>
            New link
          </Button>
        )}
      </NewLink>
      <ActionButton<invitationListRevokeMutation>
        label="Revoke"
        name={`Revoke the invitation of ${email}`}
        isDestructive
        confirmation={{
          title: `Revoke the invitation of ${email}?`,
          text: `The link stops working, and ${user.name} is removed from the workspace. You can invite the address again.`,
        }}
        mutation={graphql`
          mutation invitationListRevokeMutation($input: RevokeInvitationInput!) {
            revokeInvitation(input: $input) { removedUserID }
          }
        `}
        variables={{ input: { userID: user.id } }}
        onDone={onChange}
      />
    </Row>
  )
}
