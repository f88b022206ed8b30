import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { parseInput } from '../../../input.ts'
import { accessEndpoint } from '../access.ts'
import { endpointInput, keyOf } from '../change-endpoint.ts'
import type { EndpointWithSecret } from '../create-endpoint.ts'
import { requireHearing } from '../owner.ts'
import { encryptSecret, newEndpointSecret } from './endpoint-secrets.ts'

const bothValidMs = 24 * 60 * 60 * 1000

/** Gives an endpoint a new signing secret. The old secret also signs for 24 hours. */
export async function rotateEventEndpointSecret(
  ctx: Context,
  input: z.input<typeof endpointInput>,
): Promise<EndpointWithSecret> {
  const endpoint = await accessEndpoint(ctx, parseInput(endpointInput, input).endpointID, 'write')
  await requireHearing(ctx, endpoint)
  const secret = newEndpointSecret()
  const eventEndpoint = await ctx.db.eventEndpoint.update({
    where: keyOf(endpoint),
    data: {
      secret: encryptSecret(ctx.config, endpoint.id, secret),
      previousSecret: endpoint.secret,
      previousSecretEndsAt: new Date(Date.now() + bothValidMs),
    },
  })
  return { eventEndpoint, secret }
}
