import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const methodList = new Intl.ListFormat('en-GB')

/**
 * Refuses all other methods at a path with `method_not_allowed` and `Allow`, without reading a body. If `allowed`
 * contains OPTIONS, answers it with 204 and `Allow`.
 */
export function allowOnly(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  const allow = allowed.join(', ')
  const refuse = async (): Promise<never> => {
    throw new AppError('method_not_allowed', `This URL only supports ${methodList.format(allowed)}.`)
  }
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url: path,
    onRequest: async (_request, reply) => {
      reply.header('allow', allow)
      await refuse()
    },
    handler: refuse,
  })
  if (!allowed.includes('OPTIONS')) return
  // With `CORS_ORIGINS`, the plug-in for CORS adds its headers to the answer of the route, instead of its own answer.
  const config = { cors: { preflightContinue: true, strictPreflight: false } }
  app.options(path, {
    config,
    onRequest: async (_request, reply) => reply.code(204).header('allow', allow).send(),
    handler: refuse,
  })
}
