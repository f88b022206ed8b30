import type { Context, WebhookActor } from '../context.ts'
import { AppError } from '../errors.ts'
import { toGroupID } from '../groups/general-group-id.ts'
import { prefixOf } from '../platform/ids.ts'
import { isAddressedTo } from '../threads/access.ts'

/**
 * Throws unless the target is one of the allowed targets, is addressed to one, or is the default target. A thread that the
 * webhook cannot see is refused like one that is missing.
 */
export async function requireAllowedTarget(ctx: Context<WebhookActor>, target: string): Promise<void> {
  const { allowedTargets, defaultTarget } = ctx.actor.webhook
  const id = toGroupID(target)
  if (id === defaultTarget || allowedTargets.includes(id)) return
  const groupIDs = [...allowedTargets, defaultTarget ?? ''].filter((one) => prefixOf(one) === 'grp')
  if (prefixOf(id) === 'thr' && (await isAddressedTo(ctx, id, groupIDs))) return
  throw new AppError(
    'forbidden',
    'The settings of the webhook do not allow this target. Send to another group or thread, or ask a person who manages the webhook to allow it.',
    { errors: [{ field: 'target', message: 'is not allowed by the settings of the webhook' }] },
  )
}
