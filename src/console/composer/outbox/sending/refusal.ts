import { namesField, serviceErrorText } from '../../../relay/error-text.ts'
import type { Outgoing } from '../outgoing.ts'

type Refusal = Pick<Outgoing, 'problem' | 'missingFiles' | 'mayHaveArrived'>
type ServiceError = { extensions?: { errors?: readonly { field: string }[] } }

/** Says why the service refused a message. Names the files that the service no longer has. */
export function refusalOf({ files }: Outgoing, errors: readonly object[]): Refusal {
  const fields = (errors as readonly ServiceError[]).flatMap(({ extensions }) => extensions?.errors ?? [])
  const missing = fields.flatMap(({ field }) => {
    const [, index] = /(?:^|\.)attachments\.(\d+)$/.exec(field) ?? []
    return files[Number(index)] ?? []
  })
  if (missing.length === 0 || missing.length < fields.length) {
    const problem = serviceErrorText(errors) || 'The service did not say why.'
    return namesField(errors) ? { problem } : { problem, mayHaveArrived: true }
  }
  const names = missing.map(({ name }) => `“${name}”`).join(', ')
  const them = missing.length === 1 ? 'the file' : 'the files'
  const problem = `The service no longer has ${names}. Edit the message to attach ${them} again.`
  return { problem, missingFiles: missing.map(({ id }) => id) }
}
