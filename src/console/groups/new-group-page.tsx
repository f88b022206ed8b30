import { Box } from '@mantine/core'
import { useState } from 'react'
import { graphql, useRelayEnvironment } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { newGroupPageMutation } from '../../generated/console/newGroupPageMutation.graphql.ts'
import { GroupFields } from '../group-details/group-fields.tsx'
import { Form } from '../page/forms/form.tsx'
import { Page } from '../page/page.tsx'
import { forgetDirectory } from '../people/directory.ts'
import { useAction } from '../relay/use-action.ts'

/** Creates a group. The person becomes its admin. */
export default function NewGroupPage() {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const environment = useRelayEnvironment()
  const [values, setValues] = useState({ name: '', description: '', isPrivate: false })
  const { run, isRunning, isDone, problem, fieldProblems } = useAction<newGroupPageMutation>(
    graphql`
      mutation newGroupPageMutation($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }
    `,
    ['name'],
  )
  const create = () => {
    const description = values.description.trim() || null
    run({ input: { ...values, description } }, ({ createGroup }) => {
      forgetDirectory(environment)
      navigate(`/${workspaceID}/groups/${createGroup?.group.id}`)
    })
  }
  return (
    <Page title="Create group">
      <Box maw="32rem">
        <Form
          action="Create group"
          onSubmit={create}
          problem={problem}
          // The form stays busy after the group is created, because the page of the group may still be loading.
          isRunning={isRunning || isDone}
          isDisabled={values.name.trim() === ''}
        >
          <GroupFields values={values} autoFocus nameProblem={fieldProblems.name} onChange={setValues} />
        </Form>
      </Box>
    </Page>
  )
}
