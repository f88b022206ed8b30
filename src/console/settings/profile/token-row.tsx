import { graphql, useFragment } from 'react-relay/hooks'
import type { tokenRow_token$key } from '../../../generated/console/tokenRow_token.graphql.ts'
import type { tokenRowRevokeMutation } from '../../../generated/console/tokenRowRevokeMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { dateAndMinute, dateOf } from '../../text/time.ts'
import { Row } from '../layout/rows.tsx'

type Props = { token: tokenRow_token$key; onRevoked: () => void }

export function TokenRow({ token, onRevoked }: Props) {
  const { id, name, scopes, expiresAt, lastUsedAt } = useFragment(
    graphql`
      fragment tokenRow_token on PersonalAccessToken { id name scopes expiresAt lastUsedAt }
    `,
    token,
  )
  const used = lastUsedAt ? `Last used ${dateAndMinute(lastUsedAt)}` : 'Never used'
  return (
    <Row
      title={name}
      text={
        <>
          {used}. Expires on {dateOf(expiresAt)}.
          <br />
          {scopes.join(', ')}
        </>
      }
    >
      <ActionButton<tokenRowRevokeMutation>
        label="Revoke"
        name={`Revoke ${name}`}
        isDestructive
        confirmation={{
          title: `Revoke “${name}”?`,
          text: 'Programs that use this token stop working immediately.',
        }}
        mutation={graphql`
          mutation tokenRowRevokeMutation($input: RevokePersonalAccessTokenInput!) {
            revokePersonalAccessToken(input: $input) { removedPersonalAccessTokenID }
          }
        `}
        variables={{ input: { personalAccessTokenID: id } }}
        onDone={onRevoked}
      />
    </Row>
  )
}
