import { Textarea } from '@mantine/core'

type Props = { value: string; onChange: (value: string) => void }

/** Redirect URIs, one in each line. */
export function RedirectURIs({ value, onChange }: Props) {
  return (
    <Textarea
      label="Redirect URIs"
      description="One in each line, at most 20. After the consent, people return to one of them. For a program on your own computer: http://localhost:8080/callback"
      autosize
      minRows={2}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
