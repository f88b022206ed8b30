import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'

/** Answers all other methods at an address with `method_not_allowed` and `Allow`; whatever body they bring is not read. */
export function allowOnly(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  const refuse = async (): Promise<never> => {
    throw new AppError('method_not_allowed', `This address takes ${allowed.join(' and ')} only.`)
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
