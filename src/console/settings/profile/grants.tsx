import { graphql, useFragment } from 'react-relay/hooks'
import type {
  grants_viewer$data,
  grants_viewer$key,
} from '../../../generated/console/grants_viewer.graphql.ts'
import type { grantsRowRevokeMutation } from '../../../generated/console/grantsRowRevokeMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { dateAndMinute, dateOf } from '../../text/time.ts'
import { Row, Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'
import { ScopeList } from '../scopes/scope-picker.tsx'

type Props = { viewer: grants_viewer$key; onChange: () => void }

/** The newest 100 grants with which apps act as the person, in all workspaces of the account. */
export function Grants({ viewer, onChange }: Props) {
  const { grants } = useFragment(
    graphql`
      fragment grants_viewer on Viewer {
        grants(last: 100) { nodes { id appName workspace { name } scopes createdAt lastTokenAt } }
      }
    `,
    viewer,
  )
  return (
    <Section
      title="Apps that act for you"
      text="You allowed these apps to act as you, in this workspace or another one."
    >
      <Rows label="Apps that act for you" empty="No app acts for you.">
        {[...(grants?.nodes ?? [])].reverse().map((grant) => (
          <GrantRow key={grant.id} grant={grant} onRevoked={onChange} />
        ))}
      </Rows>
    </Section>
  )
}

type GrantRowProps = {
  grant: NonNullable<grants_viewer$data['grants']>['nodes'][number]
  onRevoked: () => void
}

function GrantRow({ grant, onRevoked }: GrantRowProps) {
  const { id, appName, workspace, scopes, createdAt, lastTokenAt } = grant
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
      <ActionButton<grantsRowRevokeMutation>
        label="Revoke"
        name={`Revoke the access of ${place}`}
        isDestructive
        confirmation={{
          title: `Revoke the access of “${appName}”?`,
          text: `The app can no longer act as you in ${workspace.name}. It must ask you again.`,
        }}
        mutation={graphql`
          mutation grantsRowRevokeMutation($input: RevokeGrantInput!) {
            revokeGrant(input: $input) { removedGrantID }
          }
        `}
        variables={{ input: { grantID: id } }}
        onDone={onRevoked}
      />
    </Row>
  )
}
