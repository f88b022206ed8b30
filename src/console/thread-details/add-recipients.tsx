import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { addRecipientsMutation } from '../../generated/console/addRecipientsMutation.graphql.ts'
import { ProblemText } from '../page/problems/problem-text.tsx'
import { RecipientSelect } from '../people/picker/recipient-select.tsx'
import { useAction } from '../relay/use-action.ts'

type Props = { threadID: string; recipientIDs: string[]; onAdded: () => void }

export function AddRecipients({ threadID, recipientIDs, onAdded }: Props) {
  const [added, setAdded] = useState<string[]>([])
  const { run, isRunning, problem } = useAction<addRecipientsMutation>(graphql`
    mutation addRecipientsMutation($input: AddRecipientsInput!) {
      addRecipients(input: $input) { thread { ...threadHeader_thread } }
    }
  `)
  const add = () =>
    run({ input: { threadID, recipientIDs: added } }, () => {
      setAdded([])
      onAdded()
    })
  return (
    <>
      <Group align="end" pt="xs">
        <RecipientSelect
          flex={1}
          label="Add recipients"
          without={new Set(recipientIDs)}
          value={added}
          onChange={setAdded}
        />
        <Button onClick={add} loading={isRunning} disabled={added.length === 0}>
          Add
        </Button>
      </Group>
      <ProblemText problem={problem} />
    </>
  )
}
