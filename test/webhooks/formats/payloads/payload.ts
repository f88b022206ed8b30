/** What a webhook wrote: the threads that it started, and its messages in the order in which they were written. */
export type Written = {
  threads?: { subject: unknown; state: unknown; isClosed: boolean }[]
  messages: { text: unknown; state: unknown }[]
}

/** Bodies that a sender sends one after the other, and what is there at the end. */
export type Payload = { from: string; bodies: readonly unknown[]; written: Written }
