import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/** Refuses all other methods at a path with `method_not_allowed` and `Allow`, without reading a body. */
export function allowOnly(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  const refuse = async (): Promise<never> => {
    throw new AppError('method_not_allowed', `This URL only supports ${allowed.join(' and ')}.`)
  }
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url: path,
    onRequest: async (_request, reply) => {
      reply.header('allow', allowed.join(', '))
      await refuse()
    },
    handler: refuse,
  })
}
