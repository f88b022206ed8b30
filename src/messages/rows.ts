import { columnsOf, type PrefixedRow, prefixRemover } from '../database/rows.ts'
import { type Message, Prisma, type User } from '../generated/prisma/client.ts'

/** A message with the columns of its author, because nearly every request also needs the author. */
export type AuthoredMessage = Message & PrefixedRow<User, 'author'>

/** The columns of an AuthoredMessage, from rows `m` of messages with `joinAuthor` joined to them. */
export const messageColumns = Prisma.sql`${columnsOf('Message', 'm')}, ${columnsOf('User', 'author', 'author')}`

export const joinAuthor = Prisma.sql`CROSS JOIN LATERAL (
  SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0) AS author`

export const authorOf: (message: AuthoredMessage) => User = prefixRemover('User', 'author')
