import type { FastifyBaseLogger } from 'fastify'
import type { WebhookTemplates } from './apps/webhooks/templates.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { AppError, insufficientScope } from './errors.ts'
import type { Webhook } from './generated/prisma/client.ts'
import type { Signal } from './platform/request-signal.ts'
import { type Scope, withIncluded } from './scopes.ts'
import type { Storage } from './storage/storage.ts'

export type UserActor = {
  kind: 'user'
  workspaceID: string
  userID: string
  scopes: ReadonlySet<Scope>
  appID?: string
  /** The ID of the app or personal access token that acts as a person. Absent if the user acts by itself. */
  programID?: string
  /** Present if a person signed in with a browser. */
  session?: { id: string; accountID: string; email: string }
  webhook?: CachedWebhook
}

/**
 * The cached webhook that a user posts through, with its settings. The statement that writes a message checks that the
 * webhook is active, that the key still works, and that the settings have this revision.
 */
export type CachedWebhook = WebhookState &
  Pick<
    Webhook,
    'defaultTarget' | 'allowedTargets' | 'format' | 'resolvedCalls' | 'restDays' | 'signatureSecret'
  > & { templates: WebhookTemplates | null }
/** `keyHash` belongs to the key that the caller used, and is in hexadecimal. */
export type WebhookState = Pick<Webhook, 'id' | 'revision'> & { keyHash: string }
export type WebhookActor = UserActor & { webhook: CachedWebhook }

/** The operator administers workspaces and cannot read conversations. `tokenName` names the token in use. */
export type OperatorActor = { kind: 'operator'; tokenName?: string }

export type Actor = UserActor | OperatorActor

/** Returns the key under which the actor's use of the service is counted. */
export function callerKey(actor: Actor): string {
  return actor.kind === 'operator' ? 'operator' : `${actor.workspaceID} ${actor.userID}`
}

/** Where a request comes from. `network` is the address, or the network of an IPv6 address. */
export type Source = { address: string; network: string; userAgent: string | undefined }

/** The first argument of every verb. `db` can be a transaction. */
export type Context<A extends Actor = Actor> = {
  db: Database
  actor: A
  /** Where the request comes from. Absent if the service itself acts. */
  source?: Source | undefined
  log: FastifyBaseLogger
  config: Config
  storage: Storage
  /** Aborts when the request times out or, for a read, when the client disconnects. Statements on `db` then stop. */
  signal?: Signal
}

export function requireScope(ctx: Context, scope: Scope): asserts ctx is Context<UserActor> {
  requireUser(ctx)
  if (!holdsScope(ctx.actor, scope)) throw insufficientScope(scope, withIncluded(ctx.actor.scopes))
}

/** Returns whether a user has the scope, or a scope that includes it. */
export function holdsScope({ scopes }: UserActor, scope: Scope): boolean {
  return scopes.has(scope) || withIncluded(scopes).includes(scope)
}

export function requireUser(ctx: Context): asserts ctx is Context<UserActor> {
  if (ctx.actor.kind !== 'user') {
    throw new AppError(
      'forbidden',
      'This requires the token or session of a user. The operator token is not accepted.',
    )
  }
}

/** Throws unless a person has signed in with a browser. A token that leaked must not create other credentials. */
export function requireSession(
  ctx: Context,
): asserts ctx is Context<UserActor & Required<Pick<UserActor, 'session'>>> {
  if (ctx.actor.kind !== 'user' || !ctx.actor.session)
    throw new AppError(
      'forbidden',
      'This requires a browser session. Sign in at /signin. Tokens are not accepted.',
    )
}

export function requireOperator(ctx: Context): asserts ctx is Context<OperatorActor> {
  if (ctx.actor.kind !== 'operator') {
    throw new AppError('forbidden', 'This requires the operator token.')
  }
}
