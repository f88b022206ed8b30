import { graphql, useFragment } from 'react-relay/hooks'
import type { grantRow_grant$key } from '../../../generated/console/grantRow_grant.graphql.ts'
import type { grantRowRevokeMutation } from '../../../generated/console/grantRowRevokeMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { dateAndMinute, dateOf } from '../../text/time.ts'
import { Row } from '../layout/rows.tsx'
import { ScopeList } from '../scopes/scope-list.tsx'

type Props = { grant: grantRow_grant$key; onRevoked: () => void }

export function GrantRow({ grant, onRevoked }: Props) {
  const { id, appName, workspace, scopes, createdAt, lastTokenAt } = useFragment(
    graphql`
      fragment grantRow_grant on Grant { id appName workspace { name } scopes createdAt lastTokenAt }
    `,
    grant,
  )
  const place = `${appName} in ${workspace.name}`
  return (
    <Row
      title={place}
      text={
        <>
          Allowed on {dateOf(createdAt)}. Last received a token on {dateAndMinute(lastTokenAt)}.
          <ScopeList scopes={scopes} />
        </>
      }
    >
      <ActionButton<grantRowRevokeMutation>
        label="Revoke"
        name={`Revoke the access of ${place}`}
        isDestructive
        confirmation={{
          title: `Revoke the access of “${appName}”?`,
          text: `The app can no longer act as you in ${workspace.name}. It must ask you again.`,
        }}
        mutation={graphql`
          mutation grantRowRevokeMutation($input: RevokeGrantInput!) {
            revokeGrant(input: $input) { removedGrantID }
          }
        `}
        variables={{ input: { grantID: id } }}
        onDone={onRevoked}
      />
    </Row>
  )
}
