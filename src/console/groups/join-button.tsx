import { Button } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import type { joinButtonMutation } from '../../generated/console/joinButtonMutation.graphql.ts'
import { ProblemText } from '../page/problem-text.tsx'
import { useAction } from '../relay/use-action.ts'

export function JoinButton({ groupID }: { groupID: string }) {
  const { run, isRunning, problem } = useAction<joinButtonMutation>(graphql`
    mutation joinButtonMutation($input: JoinGroupInput!) {
      joinGroup(input: $input) { group { ...groupHeader_group ...groupRow_group } }
    }
  `)
  return (
    <>
      <ProblemText problem={problem} />
      <Button size="xs" loading={isRunning} onClick={() => run({ input: { groupID } })}>
        Join
      </Button>
    </>
  )
}
