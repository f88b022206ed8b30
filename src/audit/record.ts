import type { Config } from '../config.ts'
import type { Context, OperatorActor, Source, UserActor } from '../context.ts'
import { type Database, inTransaction } from '../database/database.ts'
import { execute } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { newID } from '../platform/ids.ts'
import type { AuditAction } from './actions.ts'

export type SignInMeans = 'password' | 'link' | 'identityProvider' | 'session'

type AuditActor =
  | OperatorActor
  | Pick<UserActor, 'kind' | 'userID' | 'appID' | 'programID' | 'session' | 'webhook'>
  | { kind: 'app'; appID: string }
  /** The owner of an account, on the sign-in pages or in a session. */
  | { kind: 'account'; id: string; email: string; means: SignInMeans }
  /** A caller who is refused. */
  | { kind: 'nobody'; means: SignInMeans | 'operatorToken' }

/** The parts of a context of which the caller is not known yet. */
export type Unidentified = Omit<AuditContext, 'actor'>

/** What an entry needs of a context. */
export type AuditContext = {
  db: Database
  config: Config
  source?: Source | undefined
  actor: AuditActor
}

/** The details must not contain secrets, names or addresses, because only the columns of names can be erased. */
export type Entry = {
  action: AuditAction
  /** The workspace is absent for entries about accounts and the service. */
  workspaceID?: string
  object?: { id: string | null; name?: string | null }
  details?: Record<string, string | number | boolean | readonly string[] | null>
  outcome?: 'done' | 'refused'
}

/** Runs a change and records it in one transaction. `run` must use only the context that it receives. */
export function audited<T>(
  ctx: Context,
  run: (inTx: Context) => Promise<T>,
  entryOf: (result: T) => Entry,
): Promise<T> {
  return inTransaction(ctx.db, async (db) => {
    const inTx = { ...ctx, db }
    const result = await run(inTx)
    await record(inTx, entryOf(result))
    return result
  })
}

/** Returns details that name the fields that a change sets, without their values. */
export function setFields(fields: Record<string, unknown>): { set: string[] } {
  return { set: Object.keys(fields).filter((name) => fields[name] !== undefined) }
}

export async function record({ db, config, source, actor }: AuditContext, entry: Entry): Promise<void> {
  const { action, workspaceID = '', object, details = {}, outcome = 'done' } = entry
  const { kind, id, name, means, programID } = whoOf(actor, source)
  await execute(
    db,
    Prisma.sql`
    INSERT INTO audit_entries (
      workspace_id, id, expires_at, action, outcome, actor_kind, actor_id, actor_name, means, program_id,
      object_id, object_name, details, address, user_agent)
    VALUES (
      ${workspaceID}, ${newID('aud')}, now() + make_interval(days => ${config.auditTTLDays}), ${action}, ${outcome},
      ${kind}, ${id ?? null}, ${name ?? null}, ${means}, ${programID ?? null},
      ${object?.id ?? null}, ${object?.name ?? null}, ${JSON.stringify(details)}::jsonb,
      ${source?.address ?? null}, ${source?.userAgent ?? null})`,
  )
}

type Who = {
  kind: string
  id?: string
  name?: string | undefined
  means: string
  programID?: string | undefined
}

function whoOf(actor: AuditContext['actor'], source: Source | undefined): Who {
  switch (actor.kind) {
    case 'operator': {
      const isCLI = source?.userAgent?.startsWith('skein-cli') === true
      return { kind: 'operator', name: actor.tokenName, means: isCLI ? 'cli' : 'operatorToken' }
    }
    case 'user': {
      const { userID, appID, programID = appID } = actor
      return { kind: 'user', id: userID, means: meansOf(actor), programID }
    }
    case 'account':
      return { kind: 'account', id: actor.id, name: actor.email, means: actor.means }
    case 'app':
      return { kind: 'app', id: actor.appID, means: 'oauth' }
    case 'nobody':
      return actor
  }
}

function meansOf({
  session,
  programID,
  webhook,
}: Pick<UserActor, 'session' | 'programID' | 'webhook'>): string {
  if (session) return 'session'
  if (webhook) return 'webhook'
  return programID?.startsWith('pat_') ? 'personalToken' : 'oauth'
}
