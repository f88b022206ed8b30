import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { atEnd } from './at-end.ts'

export type MailServer = {
  url: string
  /** The mails that arrived, as they were sent (RFC 5322). */
  mails: { to: string[]; source: string }[]
}

/** Starts an SMTP server that stops after the test or the file. Can refuse every mail, recipient or password. */
export async function startMailServer({
  refuse,
  answer = { responseCode: 550, message: 'No such user' },
}: {
  /** A function refuses the recipients for which it returns true. */
  refuse?: 'mail' | 'recipient' | 'password' | ((address: string) => boolean)
  /** The answer to a recipient that is refused. */
  answer?: { responseCode: number; message: string }
} = {}): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      const isRefused = typeof refuse === 'function' ? refuse(address) : refuse === 'recipient'
      done(isRefused ? Object.assign(new Error(), answer) : null)
    },
    onAuth: (_auth, _session, done) =>
      refuse === 'password' ? done(new Error('Wrong password')) : done(null, { user: 'skein' }),
    onData: (stream, { envelope }, done) => {
      text(stream).then((source) => {
        if (refuse === 'mail') return done(new Error('The mailbox is full'))
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), source })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, mails }
}

/** Returns the first link in a mail. Joins the long lines, which a mail breaks (RFC 2045 6.7). */
export function linkIn(source: string): string {
  const unfolded = source.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  return /https?:\/\/\S+/.exec(unfolded)?.[0] ?? ''
}
