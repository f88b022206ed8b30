const steps: (() => Promise<void>)[] = []

/** Registers a function to call at the end of the current `scoped` run. The returned function calls it immediately. */
export function atEnd(undo: () => Promise<unknown>): () => Promise<void> {
  const step = async () => {
    const index = steps.indexOf(step)
    if (index < 0) return
    steps.splice(index, 1)
    await undo()
  }
  steps.push(step)
  return step
}

/** Runs a function. Then calls the functions that `atEnd` has registered during the run, in reverse order. */
export async function scoped<T>(run: () => Promise<T>): Promise<T> {
  const outside = new Set(steps)
  try {
    return await run()
  } finally {
    for (const step of steps.filter((step) => !outside.has(step)).reverse()) await step()
  }
}

/** On Ctrl-C and SIGTERM, calls all registered functions and exits. */
export function undoOnSignals(): void {
  const onSignal = async () => {
    process.stderr.write('\nstopping\n')
    for (const step of [...steps].reverse()) await step().catch(() => undefined)
    process.exit(130)
  }
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
}
