import { graphql, useFragment } from 'react-relay/hooks'
import type { tokenRow_token$key } from '../../../generated/console/tokenRow_token.graphql.ts'
import type { tokenRowRevokeMutation } from '../../../generated/console/tokenRowRevokeMutation.graphql.ts'
import { dateAndTime, dateOf } from '../../text/time.ts'
import { Row } from '../layout/rows.tsx'
import { ActionButton } from '../parts/action-button.tsx'

type Props = { token: tokenRow_token$key; onRevoked: () => void }

export function TokenRow({ token, onRevoked }: Props) {
  const { id, name, scopes, expiresAt, lastUsedAt } = useFragment(
    graphql`
      fragment tokenRow_token on PersonalAccessToken { id name scopes expiresAt lastUsedAt }
    `,
    token,
  )
  const used = lastUsedAt ? `Last used ${dateAndTime(lastUsedAt)}` : 'Never used'
  return (
    <Row
      title={name}
      text={
        <>
          {used}. Expires {dateOf(expiresAt)}.
          <br />
          {scopes.join(', ')}
        </>
      }
    >
      <ActionButton<tokenRowRevokeMutation>
        label="Revoke"
        name={`Revoke ${name}`}
        isDestructive
        question={{ title: `Revoke “${name}”?`, text: 'Programs with this token stop working at once.' }}
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
