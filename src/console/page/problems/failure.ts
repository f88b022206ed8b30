import { errorText } from '../../relay/error-text.ts'
import { isScriptError } from './script-error.ts'

/** A part of the page that could not be loaded. */
export type Failure = { error: Error; onRetry: () => void }

export function failureText(error: Error): string {
  return isScriptError(error) ? 'The service cannot be reached. Try again.' : errorText(error)
}
