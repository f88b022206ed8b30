export type Finding = {
  state: 'ok' | 'warning' | 'failure'
  finding: string
  /** What to do. Missing if nothing is to be done. */
  advice?: string
}

export const ok = (finding: string): Finding => ({ state: 'ok', finding })
export const warning = (finding: string, advice: string): Finding => ({ state: 'warning', finding, advice })
export const failure = (finding: string, advice: string): Finding => ({ state: 'failure', finding, advice })

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`
}
