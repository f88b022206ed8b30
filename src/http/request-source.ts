import type { FastifyRequest } from 'fastify'
import type { Source } from '../context.ts'
import { addressKey } from './rate-limits/address-key.ts'

const maxUserAgentLength = 300

export function sourceOf({ ip, headers }: FastifyRequest): Source {
  return {
    address: ip,
    network: addressKey(ip),
    userAgent: headers['user-agent']?.slice(0, maxUserAgentLength),
  }
}
