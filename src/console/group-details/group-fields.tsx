import { Switch, Textarea, TextInput } from '@mantine/core'

type GroupValues = { name: string; description: string; isPrivate: boolean }
type Props = {
  values: GroupValues
  isGeneral?: boolean
  autoFocus?: boolean
  nameProblem: string | undefined
  onChange: (values: GroupValues) => void
}

export function GroupFields({ values, isGeneral = false, autoFocus = false, nameProblem, onChange }: Props) {
  return (
    <>
      <TextInput
        label="Name"
        required
        autoFocus={autoFocus}
        maxLength={100}
        value={values.name}
        error={nameProblem}
        onChange={(event) => onChange({ ...values, name: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        description="What the group is for."
        autosize
        minRows={2}
        maxLength={1000}
        value={values.description}
        onChange={(event) => onChange({ ...values, description: event.currentTarget.value })}
      />
      <Switch
        label="Private"
        description={
          isGeneral ? 'Everyone is in this group.' : 'Only members see the group and its messages.'
        }
        disabled={isGeneral}
        checked={values.isPrivate}
        onChange={(event) => onChange({ ...values, isPrivate: event.currentTarget.checked })}
      />
    </>
  )
}
