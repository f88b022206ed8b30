const scriptErrors = new WeakSet<Error>()

addEventListener('vite:preloadError', ({ payload }) => scriptErrors.add(payload))

/** Returns whether a script or a style sheet of the web app could not be loaded. */
export function isScriptError(error: Error): boolean {
  return scriptErrors.has(error)
}

export function scriptError(message: string): Error {
  const error = new Error(message)
  scriptErrors.add(error)
  return error
}
