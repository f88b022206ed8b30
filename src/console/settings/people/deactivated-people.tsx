import { graphql, useFragment, useRelayEnvironment } from 'react-relay/hooks'
import type { deactivatedPeople_workspace$key } from '../../../generated/console/deactivatedPeople_workspace.graphql.ts'
import type { deactivatedPeopleRestoreMutation } from '../../../generated/console/deactivatedPeopleRestoreMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { Row, Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'

type Props = { workspace: deactivatedPeople_workspace$key; onRestored: () => void }

/** The people who were deactivated, at most the newest 100. An admin can restore each of them. */
export function DeactivatedPeople({ workspace, onRestored }: Props) {
  const environment = useRelayEnvironment()
  const { users } = useFragment(
    graphql`
      fragment deactivatedPeople_workspace on Workspace {
        users(deleted: true, last: 100) { nodes { id name email } }
      }
    `,
    workspace,
  )
  const people = users?.nodes ?? []
  if (people.length === 0) return null
  return (
    <Section title="Deactivated people">
      <Rows label="Deactivated people" empty="">
        {people.map(({ id, name, email }) => (
          <Row key={id} title={name} text={email}>
            <ActionButton<deactivatedPeopleRestoreMutation>
              label="Restore"
              name={`Restore ${name}`}
              mutation={graphql`
                mutation deactivatedPeopleRestoreMutation($input: RestoreUserInput!) {
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
