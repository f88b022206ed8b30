import { Switch, TextInput } from '@mantine/core'

type SignatureValues = { isSigned: boolean; signatureSecret: string }

type Props = {
  values: SignatureValues
  /** Whether the webhook has a secret. The service never shows it again. */
  hasSecret: boolean
  problem: string | undefined
  onChange: (values: Partial<SignatureValues>) => void
}

export function SignatureFields({ values, hasSecret, problem, onChange }: Props) {
  return (
    <>
      <Switch
        label="Calls need a signature"
        description="The URL alone is then not enough to call the webhook."
        checked={values.isSigned}
        onChange={(event) => onChange({ isSigned: event.currentTarget.checked, signatureSecret: '' })}
      />
      {values.isSigned && (
        <TextInput
          label={hasSecret ? 'New signature secret' : 'Signature secret'}
          description={
            hasSecret
              ? 'If the field is empty, the present secret stays. It cannot be shown.'
              : '16 to 255 characters. Give the same secret to the sender. It is not shown again.'
          }
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          value={values.signatureSecret}
          error={problem}
          onChange={(event) => onChange({ signatureSecret: event.currentTarget.value })}
        />
      )}
    </>
  )
}

/** Returns the input that sets or removes the secret. A secret that is not typed again stays. */
export function signatureInput(
  { isSigned, signatureSecret }: Partial<SignatureValues>,
  hasSecret: boolean,
): { signatureSecret?: string | null } {
  if (isSigned === false) return { signatureSecret: null }
  if (signatureSecret || (isSigned && !hasSecret)) return { signatureSecret: signatureSecret ?? '' }
  return {}
}
