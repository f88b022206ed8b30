import { z } from 'zod'
import { activeWebhookActor } from '../../apps/webhooks/authenticate-webhook.ts'
import type { Context, WebhookActor } from '../../context.ts'
import { AppError, conflictAt, notFound } from '../../errors.ts'
import { id, parseInput } from '../../input.ts'
import type { CallLog } from './call-log.ts'
import { contentOf, findCall, type VisibleCall } from './list-calls.ts'
import type { CallContent } from './webhook-call.ts'

const inputSchema = z.object({ webhookCallID: id })

/** What the transport needs to run a call again. `actor` is the user of the webhook. */
export type RepeatedCall = {
  actor: WebhookActor
  format: string | null
  targetID: string | null
  content: CallContent
}

/** `repeat` runs a call as if it had just arrived, and returns its ID. */
export type Resending = { calls: CallLog; repeat: (call: RepeatedCall) => Promise<string> }

/** Runs the stored body of a call again, as a new call. Returns the new call, whose status may be an error. */
export async function resendCall(
  ctx: Context,
  input: z.input<typeof inputSchema>,
  { calls, repeat }: Resending,
): Promise<VisibleCall> {
  const { webhookCallID } = parseInput(inputSchema, input)
  const call = await findCall(ctx, webhookCallID, 'webhooks:write')
  if (!call) throw notFound('call')
  if (!call.isVisible)
    throw new AppError('forbidden', 'You can only resend calls whose messages and target you can see.')
  const content = await contentOf(ctx, call)
  if (!content || content.isCut)
    throw conflictAt('body_not_stored', 'webhookCallID', 'refers to a call whose whole body is not stored')
  const actor = await activeWebhookActor(ctx.db, call.webhookID)
  if (!actor) throw conflictAt('webhook_inactive', 'webhookCallID', 'refers to a call of an inactive webhook')
  const newCallID = await repeat({ actor, format: call.format, targetID: call.targetID, content })
  await calls.flush()
  const newCall = await findCall(ctx, newCallID, 'webhooks:write')
  if (newCall) return newCall
  throw new AppError('unavailable', 'The call was sent again, but it could not be recorded.', {
    retryAfterSeconds: 1,
  })
}
