import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { type HTML, html } from '../http/pages/html.ts'
import { card, sendPage, sheet } from '../http/pages/html-page.ts'
import { refusal } from '../http/pages/notice.ts'
import { prepareFailure } from '../http/problems.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'
import { escapeHTML } from '../text/markdown/escape.ts'

type FormsPage = {
  formAction?: string
  isWide?: boolean
  /** The first row of the card, instead of the name of the product. */
  header?: HTML
}

/** Sends a page with forms. By default, it is a card, and its forms submit only to this service. */
export function sendForms(
  reply: FastifyReply,
  title: string,
  main: HTML,
  { formAction = "'self'", isWide = false, header }: FormsPage = {},
): FastifyReply {
  const body = isWide ? sheet(main.html) : card(main.html, header?.html)
  return sendPage(reply, { title: escapeHTML(title), body, formAction })
}

export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = prepareFailure(error, request, reply)
  // On other pages, such as the page of an expired link, the person may not be signed in.
  const isAccount = request.url.startsWith('/account')
  const main = html`<h1>This did not work</h1>
${refusal(known.message)}
${known.status >= 500 && html`<p>Request ID: ${request.id}</p>`}
<p>${isAccount ? html`<a href="/account">Go to your account</a>` : html`<a href="/">Go to the start page</a>`}</p>
`
  return sendForms(reply.code(known.status), 'This did not work', main)
}

export type SignInParts = Pick<Context, 'db' | 'config'> & { rateLimits: RateLimits }
