import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { sendProblem } from '../problems.ts'
import { addToLog } from '../request-log.ts'
import { menuLink, sendPage } from './html-page.ts'

export const notFoundAtURL = new AppError('not_found', 'Nothing exists at this URL.')

/** Answers a request for a URL at which nothing exists: a browser with a page, a program with problem details. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { method, headers } = request
  reply.header('vary', 'Accept')
  const isBrowser = /\btext\/html\b/i.test(headers.accept ?? '') && !/json/i.test(headers.accept ?? '')
  if (!isBrowser || !['GET', 'HEAD'].includes(method)) return sendProblem(notFoundAtURL, request, reply)
  addToLog(request, { code: notFoundAtURL.code })
  return sendPage(reply.code(notFoundAtURL.status), {
    title: 'Page not found',
    menu: menuLink('/', 'Skein'),
    main: `<h1>Page not found</h1>
<p>Nothing exists at this address.</p>
<p><a href="/">Go to the start page</a></p>
`,
  })
}
