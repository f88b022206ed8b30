import { fieldName } from './field-name.ts'
import { codeOfStatus, type ErrorDetails, plainSentence, willPass } from './plain-sentences.ts'

type ServiceError = {
  message: string
  extensions?: ErrorDetails & { reason?: string; errors?: readonly { field: string; message: string }[] }
}

/** The failure of a whole operation. Its message is for people. */
export class FailedOperation extends Error {
  /** Whether the operation can succeed a little later. */
  readonly isPassing: boolean

  constructor({ status }: Response, errors: readonly object[], isChange: boolean) {
    const known = errors.length > 0 ? (errors as readonly ServiceError[]) : [errorOfStatus(status)]
    super(linesOf(fieldProblems(known, isChange)))
    this.isPassing = known.every(({ extensions }) => willPass(extensions?.code))
  }
}

function errorOfStatus(status: number): ServiceError {
  const code = codeOfStatus(status)
  if (code !== undefined) return { message: '', extensions: { code } }
  return {
    message: `The answer is not from the service, and has status ${status}. Tell the operator of the service.`,
  }
}

/** Whether the connection was lost. Each browser reports this as a TypeError with a different message. */
export function isUnreachable(error: Error): boolean {
  return error instanceof TypeError || error.name === 'TimeoutError'
}

export const unreachableText = 'The service cannot be reached. Check your connection, and try again.'

/** Returns a sentence for an error. */
export function errorText(error: Error): string {
  if (error instanceof TypeError) return unreachableText
  return error.name === 'TimeoutError' ? plainSentence({ code: 'TIMEOUT' }, '', false) : error.message
}

/** Whether the service refused the value of a field. It would refuse the same value again. */
export function namesField(errors: readonly object[]): boolean {
  return fieldProblems(errors).some(({ field }) => field !== '')
}

type FieldProblem = { field: string; text: string }

/** Returns the problems as text, one on each line. An error that names fields has one problem for each field. */
export function serviceErrorText(errors: readonly object[]): string {
  return linesOf(fieldProblems(errors))
}

/**
 * Returns the problem of each field in `shownFields`, the text of all other problems, and the reason of a conflict
 * (docs/errors.md).
 */
export function splitProblems(errors: readonly object[], shownFields: readonly string[]) {
  const problems = fieldProblems(errors)
  const isShown = ({ field }: FieldProblem) => shownFields.includes(field)
  return {
    text: linesOf(problems.filter((one) => !isShown(one))) || null,
    reason: (errors as readonly ServiceError[]).find(({ extensions }) => extensions?.reason)?.extensions
      ?.reason,
    fields: Object.fromEntries(problems.filter(isShown).map(({ field, text }) => [field, text])),
  }
}

function fieldProblems(errors: readonly object[], isChange = true): FieldProblem[] {
  return (errors as readonly ServiceError[]).flatMap(({ message, extensions }) => {
    const fields = extensions?.errors ?? []
    if (fields.length === 0)
      return { field: '', text: sentence(plainSentence(extensions ?? {}, message, isChange)) }
    return fields.map((error) => ({
      field: error.field,
      text: sentence(`${fieldName(error.field)} ${error.message}`),
    }))
  })
}

function linesOf(problems: readonly FieldProblem[]): string {
  return [...new Set(problems.map(({ text }) => text))].join('\n')
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')
}
