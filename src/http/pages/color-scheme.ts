import type { FastifyReply, FastifyRequest } from 'fastify'

const oneYearSeconds = 365 * 24 * 60 * 60

/** Returns the colors that the person has chosen in this browser. The web app writes the cookie. */
function chosenScheme({ headers }: FastifyRequest): string | undefined {
  return /(?:^|; ?)color-scheme=(light|dark)(?:;|$)/.exec(headers.cookie ?? '')?.[1]
}

/** Returns the attribute of the `html` element for the chosen colors. Without a choice, the system decides. */
export function colorSchemeAttribute(request: FastifyRequest): string {
  const scheme = chosenScheme(request)
  return scheme === undefined ? '' : ` data-mantine-color-scheme="${scheme}"`
}

/** Sets the cookie for another year. Safari keeps a cookie that a script has written for only seven days. */
export function keepColorScheme(reply: FastifyReply): void {
  const scheme = chosenScheme(reply.request)
  if (scheme === undefined) return
  reply.header('set-cookie', `color-scheme=${scheme}; Path=/; Max-Age=${oneYearSeconds}; SameSite=Lax`)
}

/** Returns a `Vary` header that also names the cookie. Otherwise, a cached page could have the colors of before. */
export function varyByCookie(reply: FastifyReply): string {
  return [reply.getHeader('vary') ?? [], 'Cookie'].flat().join(', ')
}
