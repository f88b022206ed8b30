import type { FastifyReply, FastifyRequest } from 'fastify'

/** The web app also reads and clears this cookie, so that the page after the change can say that it succeeded. */
const name = 'skein-notice'
const texts = new Map([
  ['password-saved', 'Your password was saved.'],
  ['password-saved-sessions-ended', 'Your password was saved. Your other sessions were ended.'],
])
const maxAgeSeconds = 60

export function noticePasswordSaved(
  reply: FastifyReply,
  { hasEndedSessions }: { hasEndedSessions: boolean },
): void {
  const value = hasEndedSessions ? 'password-saved-sessions-ended' : 'password-saved'
  const secure = reply.server.baseURL.startsWith('https:')
  reply.setCookie(name, value, { path: '/', sameSite: 'lax', secure, maxAge: maxAgeSeconds })
}

/** Returns what the page must say about a new password. Only the first page after the change says it. */
export function takePasswordNotice(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const text = texts.get(request.cookies[name] ?? '')
  if (text !== undefined) reply.clearCookie(name, { path: '/' })
  return text
}
