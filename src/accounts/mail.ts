import nodemailer, { type Transporter } from 'nodemailer'
import { cachedPerConfig } from '../config.ts'

type Mail = { to: string; subject: string; text: string }

const timeoutMs = 20_000

export const mailerOf = cachedPerConfig(({ smtp }): ((mail: Mail) => Promise<void>) | undefined => {
  if (!smtp) return undefined
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
  const transporter: Transporter = nodemailer.createTransport(
    { url: smtp.url, ...timeouts },
    // Automatic responders do not answer mail with this header (RFC 3834).
    { from: smtp.from, headers: { 'Auto-Submitted': 'auto-generated' } },
  )
  return async (mail) => {
    // An address in an object is always one recipient. Nodemailer could read a string as a list.
    await transporter.sendMail({ ...mail, to: { name: '', address: mail.to } })
  }
})

/** Returns the response of a mail server that refuses the address of a recipient for good (RFC 5321 4.2.1). */
export function refusalOf(error: unknown): string | undefined {
  const { command, responseCode, response } = error as {
    command?: string
    responseCode?: number
    response?: string
  }
  return command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500 ? response : undefined
}
