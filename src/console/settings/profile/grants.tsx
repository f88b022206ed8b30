import { graphql, useFragment } from 'react-relay/hooks'
import type { grants_viewer$key } from '../../../generated/console/grants_viewer.graphql.ts'
import { Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'
import { GrantRow } from './grant-row.tsx'

type Props = { viewer: grants_viewer$key; onChange: () => void }

/** The newest 100 grants with which apps act as the person, in all workspaces of the account. */
export function Grants({ viewer, onChange }: Props) {
  const { grants } = useFragment(
    graphql`
      fragment grants_viewer on Viewer {
        grants(last: 100) { nodes { id ...grantRow_grant } }
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
