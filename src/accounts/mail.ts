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
