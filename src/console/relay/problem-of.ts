type Config = {
  onCompleted: (response: unknown, errors: readonly { message: string }[] | null) => void
  onError: (error: Error) => void
}

/** Runs a mutation. Returns the message of its error, or null if it succeeded. */
export function problemOf(mutation: (config: Config) => unknown): Promise<string | null> {
  return new Promise((resolve) => {
    mutation({
      onCompleted: (_response, errors) => resolve(errors?.[0]?.message ?? null),
      onError: (error) => resolve(problemText(error)),
    })
  })
}

/** Returns a sentence for an error. Browsers report a lost connection as a TypeError, each in other words. */
export function problemText(error: Error): string {
  return error instanceof TypeError ? 'The service cannot be reached.' : error.message
}
