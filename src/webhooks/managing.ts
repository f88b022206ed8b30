import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { withCurrentSettings } from '../apps/webhooks/authenticate-webhook.ts'
import { describeOwnWebhook } from '../apps/webhooks/own-webhook.ts'
import { type Config, cachedPerLimits } from '../config.ts'
import type { Context, WebhookActor } from '../context.ts'
import type { Database } from '../database/database.ts'
import { toGroupID } from '../groups/general-group-id.ts'
import { allowOnly } from '../http/allow-only.ts'
import { readOnlyJSON } from '../http/bodies/json-body.ts'
import { leaveBodiesUnread } from '../http/bodies/uploads.ts'
import { sendProblem } from '../http/problems.ts'
import { parseInput } from '../input.ts'
import { threadFields, upsertKey } from '../messages/fields.ts'
import {
  deleteOwnMessage,
  type OwnMessage,
  type OwnThread,
  updateOwnThread,
} from '../messages/webhook-changes.ts'
import { formatNames } from './formats/routes.ts'
import { misspelledFields } from './misspelled-fields.ts'
import {
  defaultTargetOf,
  dropNulls,
  fieldsOfBody,
  fieldsOfQuery,
  isThread,
  type Query,
  target,
} from './payload.ts'
import { noteProblem } from './record-calls.ts'
import { requireSignature, signatureCheck } from './signature.ts'

type Route = {
  Params: { webhookID: string; key: string; messageID: string; threadID: string }
  Querystring: Query
}
type Request = FastifyRequest<Route>

type Options = {
  db: Database
  config: Config
  path: string
  authenticate: (request: Request, reply: FastifyReply) => Promise<void>
  contextOf: (request: Request) => Context<WebhookActor>
  /** Returns the error that the caller sees. */
  visibleError: (error: unknown, request: FastifyRequest) => Promise<unknown>
}

const groupTarget = target.refine(
  (id) => !isThread(id),
  'must be the ID of a group (grp_...) or of the workspace (wks_...)',
)

const schemasFor = cachedPerLimits((limits) => {
  const key = upsertKey(limits)
  const { subject, threadBy } = threadFields(limits)
  return {
    messageQuery: z
      .object({ target, uniqueBy: key, threadBy: threadBy.optional() })
      .refine((query) => query.threadBy === undefined || !isThread(query.target), {
        path: ['threadBy'],
        error: 'cannot be used if target is a thread; threadBy identifies a thread in a group',
      }),
    threadQuery: z.object({ target: groupTarget, threadBy }),
    threadBody: z
      .object({ subject: subject.optional(), closed: z.boolean('must be true or false').optional() })
      .refine(({ subject, closed }) => subject !== undefined || closed !== undefined, {
        path: ['body'],
        error: 'must have subject or closed',
      }),
  }
})

/** Serves `GET <webhook URL>`, and the URLs at which a webhook deletes its messages and changes its threads. */
export async function managingRoutes(app: FastifyInstance, options: Options): Promise<void> {
  const { path, visibleError } = options
  app.setErrorHandler(async (error, request, reply) => {
    const problem = await visibleError(error, request)
    noteProblem(request, problem)
    return sendProblem(problem, request, reply)
  })
  descriptionRoute(app, options)
  await app.register(async (scope) => messageRoutes(scope, options))
  await app.register(async (scope) => threadRoutes(scope, options))
  for (const url of ['/messages', '/messages/:messageID']) allowOnly(app, path + url, ['DELETE', 'OPTIONS'])
  for (const url of ['/threads', '/threads/:threadID']) allowOnly(app, path + url, ['PATCH', 'OPTIONS'])
}

function descriptionRoute(app: FastifyInstance, { path, authenticate, contextOf }: Options): void {
  app.get<Route>(path, { onRequest: authenticate, exposeHeadRoute: true }, async (request, reply) => {
    const described = await describeOwnWebhook(contextOf(request))
    reply.header('cache-control', 'no-store')
    return { ...described, formats: formatNames.map((name) => ({ name, suffix: `/${name}` })) }
  })
}

function messageRoutes(app: FastifyInstance, { path, authenticate, contextOf }: Options): void {
  leaveBodiesUnread(app)
  const options = { onRequest: authenticate }
  app.delete<Route>(`${path}/messages/:messageID`, options, async (request) =>
    runSigned(request, contextOf, (ctx) => deleteOwnMessage(ctx, { messageID: request.params.messageID })),
  )
  app.delete<Route>(`${path}/messages`, options, async (request) =>
    runSigned(request, contextOf, (ctx) => deleteOwnMessage(ctx, readMessageQuery(ctx, request.query))),
  )
}

function threadRoutes(app: FastifyInstance, options: Options): void {
  const { db, config, path, authenticate, contextOf } = options
  readOnlyJSON(
    app,
    undefined,
    signatureCheck(db, config, () => null),
  )
  const change = async (ctx: Context<WebhookActor>, thread: OwnThread, body: unknown) => {
    const { changes, ignored } = readThreadBody(ctx, body)
    const { threadID } = await updateOwnThread(ctx, thread, changes)
    return { threadID, ...(ignored.length > 0 && { ignored }) }
  }
  const onRequest = authenticate
  app.patch<Route>(`${path}/threads/:threadID`, { onRequest }, async (request) =>
    runSigned(request, contextOf, (ctx) => change(ctx, { threadID: request.params.threadID }, request.body)),
  )
  app.patch<Route>(`${path}/threads`, { onRequest }, async (request) =>
    runSigned(request, contextOf, (ctx) => change(ctx, readThreadQuery(ctx, request.query), request.body)),
  )
}

/** Runs a change if the caller knows the secret of the webhook. */
function runSigned<Result>(
  request: Request,
  contextOf: Options['contextOf'],
  run: (ctx: Context<WebhookActor>) => Promise<Result>,
): Promise<Result> {
  return withCurrentSettings(contextOf(request), async (ctx) => {
    requireSignature(request as FastifyRequest, ctx, null)
    return run(ctx)
  })
}

function readMessageQuery({ config, actor }: Context<WebhookActor>, query: Query): OwnMessage {
  const fields = {
    target: defaultTargetOf(actor),
    ...fieldsOfQuery(query, ['target', 'uniqueBy', 'threadBy']),
  }
  const { target, ...keys } = parseInput(schemasFor(config.limits).messageQuery, fields)
  return { target: toGroupID(target), ...keys }
}

function readThreadQuery({ config, actor }: Context<WebhookActor>, query: Query): OwnThread {
  const fields = { target: defaultTargetOf(actor), ...fieldsOfQuery(query, ['target', 'threadBy']) }
  const { target, threadBy } = parseInput(schemasFor(config.limits).threadQuery, fields)
  return { groupID: toGroupID(target), threadBy }
}

function readThreadBody({ config }: Context, body: unknown) {
  const { threadBody } = schemasFor(config.limits)
  const fields = dropNulls(fieldsOfBody(body))
  const changes = parseInput(threadBody, fields)
  return { changes, ignored: misspelledFields(fields, Object.keys(threadBody.shape)) }
}
