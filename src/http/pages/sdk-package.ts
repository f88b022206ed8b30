import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { allowOnly } from '../allow-only.ts'
import { sendProblem } from '../problems.ts'

const path = '/sdk.tgz'
// `npm run build` creates this file. Without a build, the file does not exist.
const builtPackage = join(import.meta.dirname, '../../../dist/skein-sdk.tgz')

export async function sdkPackage(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(sendProblem)
  allowOnly(app, path, ['GET', 'HEAD'])
  app.get(path, { exposeHeadRoute: true }, async (_request, reply) => {
    const file = await readFile(builtPackage).catch(() => undefined)
    if (!file) return reply.callNotFound()
    return reply
      .header('content-disposition', 'attachment; filename="skein-sdk.tgz"')
      .type('application/gzip')
      .send(file)
  })
}
