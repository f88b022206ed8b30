import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'

/** The Prisma client, or a transaction of it. */
export type Database = PrismaClient | Prisma.TransactionClient
