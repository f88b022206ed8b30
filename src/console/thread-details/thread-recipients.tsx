import { Anchor, Button, CloseButton, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type {
  threadRecipients_thread$data,
  threadRecipients_thread$key,
} from '../../generated/console/threadRecipients_thread.graphql.ts'
import type { threadRecipientsAddMutation } from '../../generated/console/threadRecipientsAddMutation.graphql.ts'
import type { threadRecipientsMutation } from '../../generated/console/threadRecipientsMutation.graphql.ts'
import { Avatar, GroupAvatar } from '../page/avatar.tsx'
import { ProblemText } from '../page/problems/problem.tsx'
import { SectionTitle } from '../page/section-title.tsx'
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
  const { id, recipients, recipientsLocked } = useFragment(
    graphql`
      fragment threadRecipients_thread on Thread {
        id recipientsLocked
        recipients(first: 100) {
          nodes {
            id name
            ... on User @alias(as: "user") { id name kind avatarURL }
            ... on Group @alias(as: "group") { isPrivate }
          }
        }
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
      <SectionTitle>Recipients</SectionTitle>
      {nodes.map((recipient) => (
        <Group key={recipient.id} gap="xs" wrap="nowrap">
          <RecipientName recipient={recipient} />
          <Group gap={4} wrap="nowrap" ms="auto">
            {recipient.user && <PersonMenu user={recipient.user} />}
            {canRemove && nodes.length > 1 && (
              <CloseButton
                aria-label={`Remove ${recipient.name}`}
                disabled={isRunning}
                onClick={() => run({ input: { threadID: id, recipientIDs: [recipient.id] } }, onChanged)}
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

type Recipient = NonNullable<threadRecipients_thread$data['recipients']>['nodes'][number]

function RecipientName({ recipient: { id, name, user, group } }: { recipient: Recipient }) {
  const { workspaceID } = useParams()
  return (
    <>
      {user && <Avatar user={user} size="md" />}
      {group && <GroupAvatar isPrivate={group.isPrivate} />}
      {group ? (
        <Anchor component={Link} to={`/${workspaceID}/groups/${id}`} truncate>
          {name}
        </Anchor>
      ) : (
        <Text truncate>{name}</Text>
      )}
    </>
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
      <Group align="end" gap="sm" pt="xs">
        <RecipientSelect
          flex={1}
          miw={0}
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
