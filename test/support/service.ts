import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { hashCost } from '../../src/accounts/passwords/password-hash.ts'
import { readSigningKey } from '../../src/accounts/signing-key.ts'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { Actor, Context } from '../../src/context.ts'
import type { OpenedDatabase } from '../../src/database/database.ts'
import { logOptions } from '../../src/start/log/log-options.ts'
import { openStorage } from '../../src/start/open-storage.ts'
import { atEnd } from './at-end.ts'
import { borrowDatabase } from './database.ts'

/** The cost of a password hash in production. */
export const productionHashCost = { ...hashCost }
hashCost.N = 2 ** 8

export const operatorToken = 'operator-token-of-the-tests-0123456789'

/** The service in this process. */
export type Service = {
  app: FastifyInstance
  config: Config
  dataDir: string
  /** The log lines so far, each a JSON text. */
  log: string[]
  /** Returns the context that a verb receives for this actor. */
  contextOf(actor: Actor): Context
  /** Closes the database while the service runs. */
  closeDatabase(): Promise<void>
  /**
   * Sends a GraphQL request, and returns the response body without the cost. The operator's requests go to the operator's
   * schema.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each test states the response that it expects
  graphql<T = any>(token: string, query: string, variables?: object): Promise<GraphQLAnswer<T>>
}

// biome-ignore lint/suspicious/noExplicitAny: each test states the response that it expects
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

/** Returns the codes of the errors of a response. */
export function codesOf({ errors = [] }: Pick<GraphQLAnswer, 'errors'>): string[] {
  return errors.map(({ extensions }) => extensions.code)
}

/** Starts a service that stops after the test, or after the tests of the file. By default, it borrows a database. */
export async function startService(
  env: Record<string, string> = {},
  database?: Pick<OpenedDatabase, 'db' | 'close'>,
): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'skein-test-'))
  const settings = readConfig({ DATA_DIR: dataDir, OPERATOR_TOKEN: operatorToken, ...env })
  const { db, close, giveBack } = database ? { ...database, giveBack: undefined } : await borrowDatabase()
  const config = { ...settings, operatorToken, signingKey: await readSigningKey(db) }
  let closing: Promise<void> | undefined
  const closeDatabase = () => {
    closing ??= close()
    return closing
  }
  const log: string[] = []
  const logger = pino(logOptions, { write: (line: string) => void log.push(line) })
  const storage = await openStorage(config)
  const app = await buildApp({ config, db, storage, log: logger })
  atEnd(async () => {
    await app.close()
    await storage.close()
    await (giveBack ? giveBack() : closeDatabase())
    await rm(dataDir, { recursive: true })
  })
  const graphql: Service['graphql'] = async (token, query, variables) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await app.inject({
      method: 'POST',
      url: token === operatorToken ? '/operator/graphql' : '/public/graphql',
      headers,
      payload: { query, variables },
    })
    const { extensions: _cost, ...body } = answer.json()
    return body
  }
  const contextOf = (actor: Actor): Context => ({ db, config, storage, log: logger, actor })
  return { app, config, dataDir, log, contextOf, graphql, closeDatabase }
}
