import { type AuthoredMessage } from './rows.ts'
import { type Message, Prisma } from '../generated/prisma/client.ts'
import { writeCursor } from '../platform/cursors.ts'
import type { Edge, Listing } from '../platform/paging.ts'

/** The order of the messages of a thread, as rows `m`. */
export const byPosition = {
  name: 'messages',
  keys: [{ column: Prisma.sql`m.position`, type: 'integer', property: 'position' }],
} satisfies Pick<Listing, 'name' | 'keys'>

/** Where a message stands in the messages of its thread. */
export function messageCursor({ position }: Message): string {
  return writeCursor(byPosition.name, [position])
}

/** A message as it stands in the messages of its thread. */
export function messageEdge(message: AuthoredMessage): Edge<AuthoredMessage> {
  return { cursor: messageCursor(message), node: message }
}
