import { createHmac } from 'node:crypto'

type Message = { id: string; timestamp: number; body: string }

/** Returns the header `webhook-signature` of Standard Webhooks: one signature for each valid secret. */
export function standardSignatures(secrets: readonly string[], { id, timestamp, body }: Message): string {
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  return secrets.map(sign).join(' ')
}

/** Returns the signature for consumers that do not know Standard Webhooks: HMAC-SHA256 of the body in hexadecimal. */
export function plainSignature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}
