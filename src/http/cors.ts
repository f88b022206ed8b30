import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Replaces options of CORS for a route. */
    cors?: FastifyCorsOptions
  }
}

const preflightSeconds = 600

/** Lets pages of these origins call the service, without cookies (Fetch standard, CORS protocol). */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  await app.register(fastifyCors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Content-MD5', 'X-File-Name', 'X-Request-ID'],
    exposedHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'X-Request-ID'],
    maxAge: preflightSeconds,
  })
}
