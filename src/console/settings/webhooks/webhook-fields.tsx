import { TextInput } from '@mantine/core'

type WebhookValues = { name: string; description: string }

type Props = {
  values: WebhookValues
  nameProblem: string | undefined
  onChange: (values: WebhookValues) => void
}

export function WebhookFields({ values, nameProblem, onChange }: Props) {
  return (
    <>
      <TextInput
        label="Name"
        description="It is shown with the messages of the webhook."
        placeholder="Nightly build"
        maxLength={100}
        autoComplete="off"
        value={values.name}
        error={nameProblem}
        onChange={(event) => onChange({ ...values, name: event.currentTarget.value })}
      />
      <TextInput
        label="Description (optional)"
        description="What the webhook is for."
        maxLength={1000}
        autoComplete="off"
        value={values.description}
        onChange={(event) => onChange({ ...values, description: event.currentTarget.value })}
      />
    </>
  )
}
