import type { FastifyInstance } from 'fastify'
import { checkMailServer, mailerOf } from '../accounts/mail.ts'
import { requireSignInMethod } from '../accounts/sign-in-methods.ts'
import { AppError } from '../errors.ts'
import { allowOnly } from '../http/allow-only.ts'
import { html } from '../http/pages/html.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { mailSignInLink } from '../users/accounts/mail-sign-in-link.ts'
import { limitAddress } from './attempts.ts'
import { emailField, formRoute } from './forms.ts'
import { type SignInParts, sendForms } from './page.ts'

export const mailPath = '/signin/mail'

/** Mails a sign-in link. Does not wait for the look-up, so that the response is the same for every address. */
export function mailPage(app: FastifyInstance, { db, config, rateLimits }: SignInParts): void {
  if (!mailerOf(config)) return
  // The service does not wait for the mail server, and also starts without it.
  app.addHook('onReady', async () => {
    void checkMailServer(config).catch((err) => app.log.warn({ err }, 'mail cannot be sent yet'))
  })
  const sending = new Set<Promise<void>>()
  app.addHook('onClose', () => Promise.all(sending).then(() => undefined))
  allowOnly(app, mailPath, ['POST'])
  app.post(mailPath, formRoute, async (request, reply) => {
    requireSameOrigin(request)
    requireSignInMethod(config, 'link')
    const email = emailField(request.body)
    await limitAddress(rateLimits, config, request, reply)
    const sent = mailSignInLink({ db, config }, email)
      .catch((err) => {
        const isLimit = err instanceof AppError && err.code === 'rate_limited'
        if (isLimit) request.log.info('no sign-in mail: three were sent to the address in 15 minutes')
        else request.log.error({ err }, 'the sign-in mail was not sent')
      })
      .finally(() => sending.delete(sent))
    sending.add(sent)
    return sendForms(
      reply,
      'Sign in',
      html`<h1>Check your mail</h1>
<p>If <strong>${email}</strong> is registered here, you will receive a mail with a sign-in link.</p>
<p><a href="/signin">Back</a></p>
`,
    )
  })
}
