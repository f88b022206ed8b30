import nodemailer, { type Transporter } from 'nodemailer'
import { type Config, cachedPerConfig } from '../config.ts'
import { AppError, invalidField } from '../errors.ts'
import { counterBy } from '../platform/metrics.ts'
import { type MailBody, mailBody } from './mail-body.ts'

const mails = counterBy(
  'skein_mail_total',
  'The mails that were sent, or that the mail server did not accept.',
  'outcome',
  ['sent', 'failed'],
)

type Mail = { to: string; subject: string; body: MailBody }
type SMTPFailure = { command?: string; responseCode?: number; response?: string }

const timeoutMs = 20_000

const transporterOf = cachedPerConfig(({ smtp }): Transporter | undefined => {
  if (!smtp) return undefined
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
  return nodemailer.createTransport(
    { url: smtp.url, ...timeouts },
    // Automatic responders do not answer mail with this header (RFC 3834).
    { from: smtp.from, headers: { 'Auto-Submitted': 'auto-generated' } },
  )
})

export const mailerOf = cachedPerConfig((config): ((mail: Mail) => Promise<void>) | undefined => {
  const transporter = transporterOf(config)
  if (!transporter) return undefined
  return async ({ to, subject, body }) => {
    // An address in an object is always one recipient. Nodemailer could read a string as a list.
    try {
      await transporter.sendMail({ to: { name: '', address: to }, subject, ...mailBody(body) })
      mails.sent.add()
    } catch (error) {
      mails.failed.add()
      throw error
    }
  }
})

/** Connects to the mail server and signs in, but sends no mail. Throws if that fails. */
export async function checkMailServer(config: Config): Promise<void> {
  await transporterOf(config)?.verify()
}

/** Returns the error for a mail that was not sent. A reply from 500 is final (RFC 5321 4.2.1). */
export function mailProblem(cause: unknown, field: string): AppError {
  const { command, responseCode = 0, response } = cause as SMTPFailure
  if (responseCode < 500) {
    const message = response
      ? `The mail server does not accept the mail yet. Try again later. Its answer is: ${response}`
      : 'The mail server cannot be reached, or is busy. Try again.'
    return new AppError('unavailable', message, { cause, retryAfterSeconds: 60 })
  }
  if (command === 'RCPT TO') return invalidField(field, `is refused by the mail server: ${response}`)
  const message =
    'The mail server does not accept mail from this service. The operator of this service must check'
  return new AppError('unavailable', `${message} SMTP_URL and MAIL_FROM.`, { cause })
}
