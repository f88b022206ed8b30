import { Text } from '@mantine/core'
import { graphql, useRelayEnvironment } from 'react-relay/hooks'
import type { editGroupMutation } from '../../generated/console/editGroupMutation.graphql.ts'
import type { editGroupQuery } from '../../generated/console/editGroupQuery.graphql.ts'
import { Form } from '../page/forms/form.tsx'
import { useEdited } from '../page/forms/use-edited.ts'
import { forgetDirectory } from '../people/directory.ts'
import { useAction } from '../relay/use-action.ts'
import { useQuery } from '../relay/use-query.ts'
import { GroupFields } from './group-fields.tsx'

type Props = { id: string; onClose: () => void }

export default function EditGroup({ id, onClose }: Props) {
  const { group } = useQuery<editGroupQuery>(
    graphql`
      query editGroupQuery($groupID: ID!) {
        group(id: $groupID) { id name description isPrivate isGeneral viewerCanAdminister }
      }
    `,
    { groupID: id },
  )
  if (!group?.viewerCanAdminister) return <Text c="dimmed">Only admins of a group can edit it.</Text>
  return <EditForm group={group} onClose={onClose} />
}

type FormProps = { group: NonNullable<editGroupQuery['response']['group']>; onClose: () => void }

function EditForm({ group, onClose }: FormProps) {
  const { id, name, description, isPrivate, isGeneral } = group
  const environment = useRelayEnvironment()
  const { values, changed, change, state } = useEdited({ name, description: description ?? '', isPrivate })
  const { run, isRunning, problem, fieldProblems } = useAction<editGroupMutation>(
    graphql`
      mutation editGroupMutation($input: UpdateGroupInput!) {
        updateGroup(input: $input) { group { ...groupHeader_group ...groupRow_group } }
      }
    `,
    ['name'],
  )
  const save = () => {
    const { description, ...others } = changed
    const purpose = description !== undefined && { description: description.trim() || null }
    run({ input: { groupID: id, ...others, ...purpose } }, () => {
      forgetDirectory(environment)
      onClose()
    })
  }
  return (
    <Form
      action="Save"
      onSubmit={save}
      problem={problem}
      isRunning={isRunning}
      isDisabled={values.name.trim() === ''}
      edit={state}
    >
      <GroupFields values={values} isGeneral={isGeneral} nameProblem={fieldProblems.name} onChange={change} />
    </Form>
  )
}
