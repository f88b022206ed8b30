import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { newThreadPageMutation } from '../../generated/console/newThreadPageMutation.graphql.ts'
import { Page } from '../page/page.tsx'
import { ProblemText } from '../page/problem-text.tsx'
import { RecipientSelect } from '../people/recipient-select.tsx'
import { useRecipients } from '../people/use-recipients.ts'
import { newKey } from '../relay/new-key.ts'
import { useAction } from '../relay/use-action.ts'
import { useViewer } from '../workspace/viewer.ts'

/** Starts a thread with its first message. `?to=` chooses the first recipient. */
export default function NewThreadPage() {
  const { workspaceID } = useParams()
  const viewer = useViewer()
  const navigate = useNavigate()
  const [searchParams] = useSearchParams()
  const options = useRecipients()
  const [recipients, setRecipients] = useState(() => searchParams.getAll('to'))
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const [key] = useState(newKey)
  const { run, isRunning, problem } = useAction<newThreadPageMutation>(graphql`
    mutation newThreadPageMutation($input: SendMessageInput!) { sendMessage(input: $input) { thread { id } } }
  `)
  const isChat = recipients.length === 1 && subject.trim() === ''
  const send = (event?: FormEvent) => {
    event?.preventDefault()
    const thread = isChat ? { recipients } : { recipients, subject: subject.trim() || null, threadBy: key }
    run({ input: { thread, message: { text, uniqueBy: key } } }, ({ sendMessage }) =>
      navigate(`/${workspaceID}/threads/${sendMessage?.thread.id}`),
    )
  }
  return (
    <Page title="New message">
      <form onSubmit={send}>
        <Stack maw="40rem">
          <RecipientSelect
            label="To"
            description="People, apps and groups. Everyone in a group can read the thread."
            options={options}
            without={new Set([viewer.id])}
            value={recipients}
            onChange={setRecipients}
            autoFocus={recipients.length === 0}
          />
          <TextInput
            label="Subject"
            maxLength={250}
            value={subject}
            onChange={(event) => setSubject(event.currentTarget.value)}
          />
          <Textarea
            label="Message"
            autosize
            minRows={4}
            autoFocus={recipients.length > 0}
            maxRows={16}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && send()}
          />
          <Text size="sm" c="dimmed" role="status">
            {isChat &&
              'With one recipient and no subject, the message goes to the group chat or direct message.'}
          </Text>
          <ProblemText problem={problem} />
          <Group>
            <Button
              type="submit"
              loading={isRunning}
              disabled={recipients.length === 0 || text.trim() === ''}
            >
              Send
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  )
}
