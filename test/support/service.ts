import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { Actor, Context } from '../../src/context.ts'
import { openStorage } from '../../src/open-storage.ts'
import type { OpenedDatabase } from '../../src/platform/database.ts'
import { logOptions } from '../../src/platform/log-options.ts'
import { borrowDatabase } from './database.ts'

export const operatorToken = 'operator-token-of-the-tests-0123456789'

/** The service in process, on a database of the test file's own, with its log kept in `lines`. */
export type Service = {
  app: FastifyInstance
  config: Config
  dataDir: string
  /** What the log holds so far: one JSON text a line. */
  log: string[]
  /** The context that a verb receives from this caller. */
  contextOf(actor: Actor): Context
  /** Takes the database away from the running service. */
  closeDatabase(): Promise<void>
  /** Sends a GraphQL request and gives the answer's body, without what it cost. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the answer
  graphql<T = any>(token: string, query: string, variables?: object): Promise<GraphQLAnswer<T>>
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the answer
export type GraphQLAnswer<T = any> = {
  data: T
  errors?: {
    message: string
    path?: (string | number)[]
    extensions: {
      code: string
      reason?: string
      requiredScope?: string
      grantedScopes?: string[]
      errors?: object[]
    }
  }[]
}

/** Starts the service for a test file, on the file's database or a given one, and ends it after the file's tests. */
export async function startService(
  env: Record<string, string> = {},
  database?: Pick<OpenedDatabase, 'db' | 'close'>,
): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'skein-test-'))
  const given = readConfig({ DATA_DIR: dataDir, OPERATOR_TOKEN: operatorToken, ...env })
  const config = { ...given, operatorToken }
  const borrowed = database ? { ...database, giveBack: database.close } : await borrowDatabase()
  const { db } = borrowed
  let closing: Promise<void> | undefined
  const closeDatabase = () => {
    closing ??= borrowed.close()
    return closing
  }
  const log: string[] = []
  const logger = pino(logOptions, { write: (line: string) => void log.push(line) })
  const storage = await openStorage(config)
  const app = await buildApp({ config, db, storage, log: logger })
  afterAll(async () => {
    await app.close()
    await storage.close()
    await (closing ?? borrowed.giveBack())
    await rm(dataDir, { recursive: true })
  })
  const graphql: Service['graphql'] = async (token, query, variables) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await app.inject({
      method: 'POST',
      url: '/public/graphql',
      headers,
      payload: { query, variables },
    })
    const { extensions: _cost, ...body } = answer.json()
    return body
  }
  const contextOf = (actor: Actor): Context => ({ db, config, storage, log: logger, actor })
  return { app, config, dataDir, log, contextOf, graphql, closeDatabase }
}
