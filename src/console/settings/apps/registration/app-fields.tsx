import { Checkbox, Textarea, TextInput } from '@mantine/core'

type AppValues = { name: string; description: string; redirectURIs: string; isListed: boolean }

type Props = {
  values: AppValues
  nameHelp: string
  /** Only admins can list an app. */
  isAdmin: boolean
  onChange: (values: AppValues) => void
}

export function AppFields({ values, nameHelp, isAdmin, onChange }: Props) {
  return (
    <>
      <TextInput
        label="Name"
        required
        description={nameHelp}
        maxLength={100}
        autoComplete="off"
        value={values.name}
        onChange={(event) => onChange({ ...values, name: event.currentTarget.value })}
      />
      <Textarea
        label="Description (optional)"
        description="What the app does. People see it when the app requests access."
        autosize
        minRows={2}
        maxLength={1000}
        value={values.description}
        onChange={(event) => onChange({ ...values, description: event.currentTarget.value })}
      />
      <Textarea
        label="Redirect URIs"
        required
        description="One on each line, at most 20. After a person allows the app, the browser returns to one of them. For a bot that acts only as itself, enter http://localhost/. The bot must send this URI when it requests a token, but nothing opens it."
        placeholder="https://app.example.com/callback"
        autosize
        minRows={2}
        autoComplete="off"
        spellCheck={false}
        value={values.redirectURIs}
        onChange={(event) => onChange({ ...values, redirectURIs: event.currentTarget.value })}
      />
      {isAdmin && (
        <Checkbox
          label="Listed"
          description="Admins of other workspaces can install the app."
          checked={values.isListed}
          onChange={(event) => onChange({ ...values, isListed: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
