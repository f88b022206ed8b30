import { graphql } from 'react-relay/hooks'
import type { joinButtonMutation } from '../../generated/console/joinButtonMutation.graphql.ts'
import { ActionButton } from '../page/forms/action-button.tsx'

type Props = {
  groupID: string
  /** The accessible name, if several groups have this button. */
  name?: string
}

/** Joins a group. */
export function JoinButton({ groupID, name }: Props) {
  return (
    <ActionButton<joinButtonMutation>
      label="Join"
      {...(name !== undefined && { name })}
      mutation={graphql`
        mutation joinButtonMutation($input: JoinGroupInput!) {
          joinGroup(input: $input) { group { ...groupHeader_group ...groupRow_group } }
        }
      `}
      variables={{ input: { groupID } }}
    />
  )
}
