import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { newGroupPageMutation } from '../../generated/console/newGroupPageMutation.graphql.ts'
import { Page } from '../page/page.tsx'
import { ProblemText } from '../page/problem-text.tsx'
import { useAction } from '../relay/use-action.ts'
import { GroupFields } from './group-fields.tsx'

/** Creates a group. The person becomes its admin. */
export default function NewGroupPage() {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const [values, setValues] = useState({ name: '', description: '', isPrivate: false })
  const { run, isRunning, problem } = useAction<newGroupPageMutation>(graphql`
    mutation newGroupPageMutation($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }
  `)
  const create = () => {
    const description = values.description.trim() || null
    run({ input: { ...values, description } }, ({ createGroup }) =>
      navigate(`/${workspaceID}/groups/${createGroup?.group.id}`),
    )
  }
  return (
    <Page title="Create group">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create()
        }}
      >
        <Stack maw="32rem">
          <GroupFields values={values} onChange={setValues} />
          <ProblemText problem={problem} />
          <Group>
            <Button type="submit" loading={isRunning} disabled={values.name.trim() === ''}>
              Create group
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  )
}
