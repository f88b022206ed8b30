import { Anchor, Button, CloseButton, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { threadRecipients_thread$key } from '../../generated/console/threadRecipients_thread.graphql.ts'
import type { threadRecipientsAddMutation } from '../../generated/console/threadRecipientsAddMutation.graphql.ts'
import type { threadRecipientsMutation } from '../../generated/console/threadRecipientsMutation.graphql.ts'
import { ProblemText } from '../page/problems/problem.tsx'
import { PersonMenu } from '../people/person-menu.tsx'
import { RecipientSelect } from '../people/picker/recipient-select.tsx'
import { useAction } from '../relay/use-action.ts'

type Props = {
  thread: threadRecipients_thread$key
  canAdd: boolean
  canRemove: boolean
  onChanged: () => void
}

/** The people and groups that a thread is addressed to. */
export function ThreadRecipients({ canAdd, canRemove, onChanged, ...props }: Props) {
  const { workspaceID } = useParams()
  const { id, recipients, recipientsLocked } = useFragment(
    graphql`
      fragment threadRecipients_thread on Thread {
        id recipientsLocked
        recipients(first: 100) { nodes { __typename id name } }
      }
    `,
    props.thread,
  )
  const { run, isRunning, problem } = useAction<threadRecipientsMutation>(graphql`
    mutation threadRecipientsMutation($input: RemoveRecipientsInput!) {
      removeRecipients(input: $input) { thread { ...threadHeader_thread } }
    }
  `)
  const nodes = recipients?.nodes ?? []
  return (
    <Stack gap={4} pb="lg" component="section" aria-label="Recipients">
      <Title order={3} size="h5">
        Recipients
      </Title>
      {nodes.map(({ __typename, id: recipientID, name }) => (
        <Group key={recipientID} justify="space-between" wrap="nowrap">
          {__typename === 'Group' ? (
            <Anchor component={Link} to={`/${workspaceID}/groups/${recipientID}`} truncate>
              {name}
            </Anchor>
          ) : (
            <Text truncate>{name}</Text>
          )}
          <Group gap={4} wrap="nowrap">
            {__typename !== 'Group' && <PersonMenu user={{ id: recipientID, name }} />}
            {canRemove && nodes.length > 1 && (
              <CloseButton
                aria-label={`Remove ${name}`}
                disabled={isRunning}
                onClick={() => run({ input: { threadID: id, recipientIDs: [recipientID] } }, onChanged)}
              />
            )}
          </Group>
        </Group>
      ))}
      <ProblemText problem={problem} />
      {canAdd ? (
        <AddRecipients threadID={id} recipientIDs={nodes.map(({ id }) => id)} onAdded={onChanged} />
      ) : (
        recipientsLocked && (
          <Text size="sm" c="dimmed">
            The recipients are locked. Only people who can change the thread can add recipients.
          </Text>
        )
      )}
    </Stack>
  )
}

type AddRecipientsProps = { threadID: string; recipientIDs: string[]; onAdded: () => void }

function AddRecipients({ threadID, recipientIDs, onAdded }: AddRecipientsProps) {
  const [added, setAdded] = useState<string[]>([])
  const { run, isRunning, problem } = useAction<threadRecipientsAddMutation>(graphql`
    mutation threadRecipientsAddMutation($input: AddRecipientsInput!) {
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
