import { columnsOf, type Prefixed, unprefixer } from '../database/rows.ts'
import { type Message, Prisma, type User } from '../generated/prisma/client.ts'

/** A message with the columns of its author, because nearly every reader asks for the author. */
export type AuthoredMessage = Message & Prefixed<User, 'author'>

/** The columns of an AuthoredMessage, from rows `m` of messages with `authorOfMessage` joined to them. */
export const messageColumns = Prisma.sql`${columnsOf('Message', 'm')}, ${columnsOf('User', 'author', 'author')}`

export const authorOfMessage = Prisma.sql`CROSS JOIN LATERAL (
  SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0) AS author`

export const authorOf: (message: AuthoredMessage) => User = unprefixer('User', 'author')
