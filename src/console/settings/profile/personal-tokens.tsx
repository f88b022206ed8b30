import { Button } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  personalTokens_viewer$data,
  personalTokens_viewer$key,
} from '../../../generated/console/personalTokens_viewer.graphql.ts'
import type { personalTokensRowRevokeMutation } from '../../../generated/console/personalTokensRowRevokeMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { dateAndMinute, dateOf } from '../../text/time.ts'
import { Row, Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'
import { SecretOnce } from '../secrets/secret-once.tsx'
import { useNewSecret } from '../secrets/use-new-secret.ts'
import { TokenForm } from './token-form.tsx'

type Props = { viewer: personalTokens_viewer$key; onChange: () => void }

/** The personal access tokens of the person. There are at most 50. */
export function PersonalTokens({ viewer, onChange }: Props) {
  const { isAdding, secret, add, cancel, created } = useNewSecret(onChange)
  const { personalAccessTokens } = useFragment(
    graphql`
      fragment personalTokens_viewer on Viewer {
        personalAccessTokens(first: 100) { nodes { id name scopes expiresAt lastUsedAt } }
      }
    `,
    viewer,
  )
  return (
    <Section
      title="Personal access tokens"
      text="With a token, your own programs can use the API as you in this workspace."
      actions={!isAdding && <Button onClick={add}>Create token</Button>}
    >
      {secret !== null && <SecretOnce label="Personal access token" value={secret} />}
      {isAdding && <TokenForm onCreated={created} onCancel={cancel} />}
      <Rows label="Personal access tokens" empty="You have no tokens.">
        {(personalAccessTokens?.nodes ?? []).map((token) => (
          <TokenRow key={token.id} token={token} onRevoked={onChange} />
        ))}
      </Rows>
    </Section>
  )
}

type TokenRowProps = {
  token: NonNullable<personalTokens_viewer$data['personalAccessTokens']>['nodes'][number]
  onRevoked: () => void
}

function TokenRow({ token, onRevoked }: TokenRowProps) {
  const { id, name, scopes, expiresAt, lastUsedAt } = token
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
      <ActionButton<personalTokensRowRevokeMutation>
        label="Revoke"
        name={`Revoke ${name}`}
        isDestructive
        confirmation={{
          title: `Revoke “${name}”?`,
          text: 'Programs that use this token stop working immediately.',
        }}
        mutation={graphql`
          mutation personalTokensRowRevokeMutation($input: RevokePersonalAccessTokenInput!) {
            revokePersonalAccessToken(input: $input) { removedPersonalAccessTokenID }
          }
        `}
        variables={{ input: { personalAccessTokenID: id } }}
        onDone={onRevoked}
      />
    </Row>
  )
}
