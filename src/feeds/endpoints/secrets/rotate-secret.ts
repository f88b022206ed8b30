import { audited } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { query } from '../../../database/query.ts'
import { notFound } from '../../../errors.ts'
import { type EventEndpoint, Prisma } from '../../../generated/prisma/client.ts'
import { type EndpointInput, endpointToChange, entryOf } from '../access.ts'
import type { EndpointWithSecret } from '../create-endpoint.ts'
import { requireHearing } from '../owner.ts'
import { eventEndpointColumns } from '../rows.ts'
import { encryptSecret, newEndpointSecret } from './endpoint-secrets.ts'

const bothValidHours = 24

/** Gives an endpoint a new signing secret. For 24 hours, requests are signed with both secrets. */
export async function rotateEventEndpointSecret(
  ctx: Context,
  input: EndpointInput,
): Promise<EndpointWithSecret> {
  const endpoint = await endpointToChange(ctx, input)
  await requireHearing(ctx, endpoint)
  const secret = newEndpointSecret()
  const bytes = encryptSecret(ctx.config, endpoint.id, secret)
  const eventEndpoint = await audited(
    ctx,
    async ({ db }) => {
      const [rotated] = await query<EventEndpoint>(db, rotation(endpoint, bytes))
      if (!rotated) throw notFound('event endpoint')
      return rotated
    },
    (rotated) => entryOf('rotateEventEndpointSecret', rotated),
  )
  return { eventEndpoint, secret }
}

// The statement itself copies the old secret, because another rotation may have just replaced it.
function rotation({ workspaceID, id }: EventEndpoint, secret: Buffer<ArrayBuffer>): Prisma.Sql {
  return Prisma.sql`
    UPDATE event_endpoints e
    SET secret = ${secret}, previous_secret = secret,
      previous_secret_ends_at = now() + make_interval(hours => ${bothValidHours})
    WHERE workspace_id = ${workspaceID} AND id = ${id} AND deleted_at IS NULL
    RETURNING ${eventEndpointColumns}`
}
