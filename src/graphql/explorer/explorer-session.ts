import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { invalidField } from '../../errors.ts'
import { allowOnly } from '../../http/allow-only.ts'
import { readOnlyJSON } from '../../http/bodies/json-body.ts'
import { sendProblem } from '../../http/problems.ts'
import { addToLog } from '../../http/request-log.ts'
import { signInWith } from '../../starter/sign-in-links.ts'

const path = '/explorer/session'
const maxBodyBytes = 1024

/** Exchanges a one-time code for a token. Opening a link does not use up its code, because link previews open links. */
export async function explorerSession(
  app: FastifyInstance,
  shared: Pick<Context, 'db' | 'config'>,
): Promise<void> {
  app.setErrorHandler(sendProblem)
  readOnlyJSON(app)
  allowOnly(app, path, ['POST'])
  app.post<{ Body: unknown }>(path, { bodyLimit: maxBodyBytes }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { token, workspaceID, appID } = await signInWith(shared, codeOf(request.body))
    addToLog(request, { workspaceID, appID })
    return { access_token: token, token_type: 'Bearer', expires_in: shared.config.tokenTTLSeconds }
  })
}

function codeOf(body: unknown): string {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  if (typeof code !== 'string') throw invalidField('code', 'must be a string')
  return code
}
