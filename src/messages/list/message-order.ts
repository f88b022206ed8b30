import type { Edge } from '../../database/connection.ts'
import type { Listing } from '../../database/paging.ts'
import { type Message, Prisma } from '../../generated/prisma/client.ts'
import { writeCursor } from '../../platform/cursors.ts'
import type { AuthoredMessage } from '../rows.ts'

export const byPosition = {
  name: 'messages',
  keys: [{ column: Prisma.sql`m.position`, type: 'integer', property: 'position' }],
} satisfies Pick<Listing, 'name' | 'keys'>

export function messageCursor({ position }: Message): string {
  return writeCursor(byPosition.name, [position])
}

export function messageEdge(message: AuthoredMessage): Edge<AuthoredMessage> {
  return { cursor: messageCursor(message), node: message }
}
