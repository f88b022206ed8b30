import { graphql, useFragment, useRelayEnvironment } from 'react-relay/hooks'
import type { editGroup_group$key } from '../../../generated/console/editGroup_group.graphql.ts'
import type { editGroupMutation } from '../../../generated/console/editGroupMutation.graphql.ts'
import { Dialog } from '../../page/dialogs/dialog.tsx'
import { Form } from '../../page/forms/form.tsx'
import { useEdited } from '../../page/forms/use-edited.ts'
import { forgetDirectory } from '../../people/directory.ts'
import { useAction } from '../../relay/use-action.ts'
import { GroupFields } from './group-fields.tsx'

type Props = { group: editGroup_group$key; onClose: () => void }

export default function EditGroup({ onClose, ...props }: Props) {
  const { id, name, description, isPrivate, isGeneral } = useFragment(
    graphql`fragment editGroup_group on Group { id name description isPrivate isGeneral }`,
    props.group,
  )
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
    <Dialog onClose={onClose} title="Edit group">
      <Form
        action="Save"
        onSubmit={save}
        problem={problem}
        isRunning={isRunning}
        isDisabled={values.name.trim() === ''}
        edit={state}
      >
        <GroupFields
          values={values}
          isGeneral={isGeneral}
          nameProblem={fieldProblems.name}
          onChange={change}
        />
      </Form>
    </Dialog>
  )
}
