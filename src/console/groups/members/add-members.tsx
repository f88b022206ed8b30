import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { addMembersMutation } from '../../../generated/console/addMembersMutation.graphql.ts'
import { ProblemText } from '../../page/problems/problem-text.tsx'
import { RecipientSelect } from '../../people/picker/recipient-select.tsx'
import { useAction } from '../../relay/use-action.ts'

type Props = { groupID: string; onAdded: () => void }

export function AddMembers({ groupID, onAdded }: Props) {
  const [userIDs, setUserIDs] = useState<string[]>([])
  const { run, isRunning, problem } = useAction<addMembersMutation>(graphql`
    mutation addMembersMutation($input: AddMembersInput!) {
      addMembers(input: $input) { group { ...groupHeader_group ...groupRow_group } }
    }
  `)
  const add = () =>
    run({ input: { groupID, userIDs } }, () => {
      setUserIDs([])
      onAdded()
    })
  return (
    <Group align="end" pb="md">
      <RecipientSelect flex={1} label="Add people" kind="members" value={userIDs} onChange={setUserIDs} />
      <Button onClick={add} loading={isRunning} disabled={userIDs.length === 0}>
        Add
      </Button>
      <ProblemText problem={problem} />
    </Group>
  )
}
