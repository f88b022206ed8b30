import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  threadSettings_thread$data,
  threadSettings_thread$key,
} from '../../generated/console/threadSettings_thread.graphql.ts'
import type { threadSettingsMutation } from '../../generated/console/threadSettingsMutation.graphql.ts'
import type { threadSettingsSubjectMutation } from '../../generated/console/threadSettingsSubjectMutation.graphql.ts'
import { ProblemText } from '../page/problems/problem.tsx'
import { SectionTitle } from '../page/section-title.tsx'
import { useAction } from '../relay/use-action.ts'
import { limits } from '../session/limits.ts'

type Props = { thread: threadSettings_thread$key; canChange: boolean }

export function ThreadSettings({ canChange, ...props }: Props) {
  const thread = useFragment(
    graphql`
      fragment threadSettings_thread on Thread { id subject closedAt recipientsLocked repliesOff }
    `,
    props.thread,
  )
  const { run, isRunning, problem } = useAction<threadSettingsMutation>(graphql`
    mutation threadSettingsMutation($input: UpdateThreadInput!) {
      updateThread(input: $input) { thread { ...threadSettings_thread ...threadHeader_thread ...threadComposer_thread } }
    }
  `)
  const switches = [
    {
      field: 'closed',
      isOn: thread.closedAt !== null,
      label: 'Closed',
      text: 'Work on the thread is finished. People can still write.',
    },
    {
      field: 'recipientsLocked',
      isOn: thread.recipientsLocked,
      label: 'Lock recipients',
      text: 'Only people who can change the thread can add recipients.',
    },
    {
      field: 'repliesOff',
      isOn: thread.repliesOff,
      label: 'Turn replies off',
      text: 'Only the person who started the thread can write.',
    },
  ]
  return (
    <Stack gap="sm" pb="lg" component="section" aria-label="Settings">
      <SectionTitle>Settings</SectionTitle>
      {!canChange && (
        <Text size="sm" c="dimmed">
          Only admins and the person who started the thread can change it.
        </Text>
      )}
      <ThreadSubject thread={thread} canChange={canChange} />
      {switches.map(({ field, isOn, label, text }) => (
        <Switch
          key={field}
          label={label}
          description={text}
          checked={isOn}
          disabled={!canChange || isRunning}
          onChange={() => run({ input: { threadID: thread.id, [field]: !isOn } })}
        />
      ))}
      <ProblemText problem={problem} />
    </Stack>
  )
}

type ThreadSubjectProps = { thread: threadSettings_thread$data; canChange: boolean }

function ThreadSubject({ canChange, thread: { id, subject } }: ThreadSubjectProps) {
  const [value, setValue] = useState(subject ?? '')
  const { run, isRunning, problem } = useAction<threadSettingsSubjectMutation>(graphql`
    mutation threadSettingsSubjectMutation($input: UpdateThreadInput!) {
      updateThread(input: $input) { thread { ...threadSettings_thread ...threadHeader_thread } }
    }
  `)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        run({ input: { threadID: id, subject: value.trim() || null } })
      }}
    >
      <Group align="end">
        <TextInput
          flex={1}
          label="Subject"
          maxLength={limits.subjectCharacters}
          disabled={!canChange}
          value={value}
          error={problem}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        {canChange && (
          <Button
            type="submit"
            variant="default"
            loading={isRunning}
            disabled={value.trim() === (subject ?? '')}
          >
            Save
          </Button>
        )}
      </Group>
    </form>
  )
}
