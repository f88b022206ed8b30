import { Button } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { personalTokens_viewer$key } from '../../../generated/console/personalTokens_viewer.graphql.ts'
import { Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'
import { SecretOnce } from '../secrets/secret-once.tsx'
import { useNewSecret } from '../secrets/use-new-secret.ts'
import { TokenForm } from './token-form.tsx'
import { TokenRow } from './token-row.tsx'

type Props = { viewer: personalTokens_viewer$key; onChange: () => void }

/** The personal access tokens of the person. There are at most 50. */
export function PersonalTokens({ viewer, onChange }: Props) {
  const { isAdding, secret, add, cancel, created } = useNewSecret(onChange)
  const { personalAccessTokens } = useFragment(
    graphql`
      fragment personalTokens_viewer on Viewer {
        personalAccessTokens(first: 100) { nodes { id ...tokenRow_token } }
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
