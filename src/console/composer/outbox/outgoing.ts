export type Outgoing = {
  /** The uniqueBy of the message. A repetition with the same key never creates a second message. */
  key: string
  text: string
  files: readonly { id: string; name: string }[]
  problem: string | null
}
