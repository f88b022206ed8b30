const scriptErrors = new WeakSet<Error>()

addEventListener('vite:preloadError', ({ payload }) => scriptErrors.add(payload))

/** Returns whether a script or a style sheet of the web app could not be loaded. */
export function isScriptError(error: Error): boolean {
  return scriptErrors.has(error)
}

/** Returns an error that says that a script or a style sheet could not be loaded. */
export function scriptError(message: string): Error {
  const error = new Error(message)
  scriptErrors.add(error)
  return error
}
