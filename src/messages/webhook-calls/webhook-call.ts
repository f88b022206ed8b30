/** What became of a message. */
export type CallResult = { messageID: string; threadID: string; created: boolean; isStale: boolean }

/** The query and the body of a call. The content type is empty if there is no body. */
export type CallContent = { query: string; contentType: string; body: string }

/** A call of a webhook that was answered. */
export type NewCall = {
  workspaceID: string
  webhook: { id: string; keyHash: string }
  /** Undefined if the call gets its ID when it is stored. */
  id: string | undefined
  /** The time of the answer by `performance.now()`. */
  answeredAt: number
  method: string
  format: string | null
  targetID: string | null
  status: number
  sizeBytes: number
  results: readonly CallResult[]
  skipped: string | null
  problems: readonly string[]
  ignored: readonly string[]
  /** Null if the body was not read. */
  content: CallContent | null
}

/** What became of a call, as it is stored. */
export type CallOutcome = {
  created: number
  updated: number
  stale: number
  skipped: string | null
  problems: readonly string[]
  ignored: readonly string[]
}

export const callsPerWebhook = 50
