import { errorText, unreachableText } from '../../relay/error-text.ts'

const scriptErrors = new WeakSet<Error>()

addEventListener('vite:preloadError', ({ payload }) => scriptErrors.add(payload))

/** Returns whether a script of the web app could not be loaded. */
export function isScriptError(error: Error): boolean {
  return scriptErrors.has(error)
}

/** A part of the page that could not be loaded. */
export type Failure = { error: Error; onRetry: () => void }

export function failureText(error: Error): string {
  return isScriptError(error) ? unreachableText : errorText(error)
}
