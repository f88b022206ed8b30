import { graphql } from 'react-relay/hooks'
import type { joinButtonMutation } from '../../generated/console/joinButtonMutation.graphql.ts'
import { ActionButton } from '../page/forms/action-button.tsx'

export default function JoinButton({ groupID }: { groupID: string }) {
  return (
    <ActionButton<joinButtonMutation>
      label="Join"
      mutation={graphql`
        mutation joinButtonMutation($input: JoinGroupInput!) {
          joinGroup(input: $input) { group { ...groupHeader_group ...groupRow_group } }
        }
      `}
      variables={{ input: { groupID } }}
    />
  )
}
