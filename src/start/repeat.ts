/**
 * Runs work every so often, and not while the run before is going on. Returns a function that stops it and waits for a
 * run that is going on.
 */
export function repeat(
  everyMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | undefined
  const run = async () => {
    await work().catch(onError)
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= run()
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
