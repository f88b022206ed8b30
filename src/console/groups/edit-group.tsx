import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { editGroup_group$key } from '../../generated/console/editGroup_group.graphql.ts'
import type { editGroupMutation } from '../../generated/console/editGroupMutation.graphql.ts'
import { Dialog } from '../page/dialog.tsx'
import { ProblemText } from '../page/problem-text.tsx'
import { useAction } from '../relay/use-action.ts'
import { GroupFields } from './group-fields.tsx'

type Props = { group: editGroup_group$key; onClose: () => void }

/** Changes the name, the description and the privacy of a group. */
export default function EditGroup({ onClose, ...props }: Props) {
  const { id, name, description, isPrivate, isGeneral } = useFragment(
    graphql`fragment editGroup_group on Group { id name description isPrivate isGeneral }`,
    props.group,
  )
  const [values, setValues] = useState({ name, description: description ?? '', isPrivate })
  const { run, isRunning, problem } = useAction<editGroupMutation>(graphql`
    mutation editGroupMutation($input: UpdateGroupInput!) {
      updateGroup(input: $input) { group { ...groupHeader_group ...groupRow_group } }
    }
  `)
  const save = () =>
    run({ input: { groupID: id, ...values, description: values.description.trim() || null } }, onClose)
  return (
    <Dialog onClose={onClose} title="Edit group">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Stack>
          <GroupFields values={values} isGeneral={isGeneral} onChange={setValues} />
          <ProblemText problem={problem} />
          <Button type="submit" loading={isRunning} disabled={values.name.trim() === ''}>
            Save
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
