import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { threadSubject_thread$key } from '../../generated/console/threadSubject_thread.graphql.ts'
import type { threadSubjectMutation } from '../../generated/console/threadSubjectMutation.graphql.ts'
import { useAction } from '../relay/use-action.ts'
import { limits } from '../session/limits.ts'

type Props = { thread: threadSubject_thread$key; canChange: boolean }

export function ThreadSubject({ canChange, ...props }: Props) {
  const { id, subject } = useFragment(
    graphql`fragment threadSubject_thread on Thread { id subject }`,
    props.thread,
  )
  const [value, setValue] = useState(subject ?? '')
  const { run, isRunning, problem } = useAction<threadSubjectMutation>(graphql`
    mutation threadSubjectMutation($input: UpdateThreadInput!) {
      updateThread(input: $input) { thread { ...threadSubject_thread ...threadHeader_thread } }
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
