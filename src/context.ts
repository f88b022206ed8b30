import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import { AppError, insufficientScope } from './errors.ts'
import type { Database } from './platform/database.ts'
import type { Storage } from './platform/storage.ts'
import { type Scope, withIncluded } from './scopes.ts'

/** A person, an app user or a webhook user, in its workspace. */
export type UserActor = {
  kind: 'user'
  workspaceID: string
  userID: string
  scopes: ReadonlySet<Scope>
  /** The app whose access token it acts with. */
  appID?: string
  /** The webhook that it posts through, as it was known; whether it still is so, the statement that writes asks. */
  webhook?: { id: string; keyHash: string }
}

/** Whoever runs the service: manages workspaces, and reads no conversations. */
export type OperatorActor = { kind: 'operator' }

export type Actor = UserActor | OperatorActor

/** By what an actor's share of the service is counted. An app's user is of one installation. */
export function callerKey(actor: Actor): string {
  return actor.kind === 'operator' ? 'operator' : `${actor.workspaceID} ${actor.userID}`
}

/** What every verb receives. `db` may be a transaction. */
export type Context<A extends Actor = Actor> = {
  db: Database
  actor: A
  log: FastifyBaseLogger
  config: Config
  storage: Storage
  /** Aborts when the request's time is over, or nobody waits for the answer; `db` heeds it by itself. */
  signal?: AbortSignal
}

/** Narrows the context to that of a user who holds the scope. Throws `forbidden` for the operator, `insufficient_scope`. */
export function requireScope(ctx: Context, scope: Scope): asserts ctx is Context<UserActor> {
  requireUser(ctx)
  if (!holdsScope(ctx.actor, scope)) throw insufficientScope(scope, withIncluded(ctx.actor.scopes))
}

/** Whether a user holds the scope, or one that includes it. */
export function holdsScope({ scopes }: UserActor, scope: Scope): boolean {
  return scopes.has(scope) || withIncluded(scopes).includes(scope)
}

/** Narrows the context to a user's. Throws `forbidden` for the operator, who has no user. */
export function requireUser(ctx: Context): asserts ctx is Context<UserActor> {
  if (ctx.actor.kind !== 'user') {
    throw new AppError('forbidden', 'This needs the token of an app user; the operator has none.')
  }
}

/** Throws `forbidden` for everyone but the operator. */
export function requireOperator(ctx: Context): asserts ctx is Context<OperatorActor> {
  if (ctx.actor.kind !== 'operator') {
    throw new AppError('forbidden', "Only the operator's token may do this.")
  }
}
