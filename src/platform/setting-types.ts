import { isIP } from 'node:net'
import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { splitPort } from './networks.ts'
import { portRule, refuseWebURL } from './web-url.ts'

export const wholeNumber = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .default(fallback)

const webURL = z
  .string()
  .superRefine(refuseWebURL)
  .refine((value) => !/[?#]/.test(value), 'must not have a query or fragment')

export const url = webURL.transform((value) => value.replace(/\/+$/, ''))

/** The URL of a service that answers only at the root of its host. */
export const rootURL = webURL
  .transform((value) => new URL(value))
  .refine(
    ({ pathname }) => /^\/+$/.test(pathname),
    'must not have a path, because the service answers only at the root of a host',
  )
  .transform(({ origin }) => origin)

const serverURL = (scheme: RegExp, rule: string, path: RegExp, pathRule: string) =>
  z
    .string()
    .regex(scheme, rule)
    .superRefine((value, ctx) => {
      if (!URL.canParse(value))
        return ctx.addIssue('cannot be parsed; percent-encode special characters, such as # as %23')
      if (!path.test(new URL(value).pathname)) ctx.addIssue(pathRule)
      refuseIgnored(value, ctx)
    })

/** Reports the parts of a server's URL that no driver honors. */
function refuseIgnored(value: string, ctx: z.RefinementCtx): void {
  const { port, hash } = new URL(value)
  if (port === '0') ctx.addIssue(portRule)
  if (hash !== '') ctx.addIssue('must not have a fragment; write # as %23')
}

export const redisURL = serverURL(
  /^rediss?:\/\/[^/]/,
  'must begin with redis:// or rediss://',
  /^\/?\d*$/,
  'must have no path, or the number of a database as its path',
)

export const smtpURL = serverURL(
  /^smtps?:\/\/[^/]/,
  'must begin with smtp:// or smtps://',
  /^\/?$/,
  'must not have a path',
)

// The parameters that Prisma knows and the driver ignores. With `schema`, the tables would be in another schema.
const ignoredParameters = /[?&](schema|connection_limit|pool_timeout|pgbouncer)=/

export const databaseURL = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
  .refine(
    (value) => !ignoredParameters.test(value),
    'must not have the parameters schema, connection_limit, pool_timeout or pgbouncer, because they have no effect',
  )
  .superRefine((value, ctx) => {
    if (URL.canParse(value)) refuseIgnored(value, ctx)
  })
  .refine(
    (value) => !/[?&]target_session_attrs=(?!(?:any|read-write|primary)(?:&|$))/.test(value),
    'must have any, read-write or primary as target_session_attrs',
  )

export const sender = z
  .string()
  .regex(
    new RegExp(`^\\s*(${emailAddress}|[^<>]*<${emailAddress}>)\\s*$`, 'u'),
    'must be an email address, such as skein@example.com or Skein <skein@example.com>',
  )

// The issuer is compared with the one that the provider states. Therefore a slash at the end is kept.
export const issuer = webURL.transform((value, ctx) => {
  if (!isSecure(new URL(value))) ctx.addIssue('must be an https URL, or http on a loopback address')
  return value
})

function isSecure({ protocol, hostname }: URL): boolean {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback)
}

export const bucket = z
  .string()
  .regex(
    /^[a-z\d][a-z\d._-]*$/,
    'must be the name of a bucket: letters in lower case, digits, dots, hyphens and underscores',
  )

/** Accepts 32 bytes in base64 or in hexadecimal. */
export const encryptionKey = z
  .string()
  .regex(
    /^([\da-f]{64}|[\w+/-]{43}=?)$/i,
    'must be 32 bytes in base64 or hexadecimal, such as the output of "openssl rand -base64 32"',
  )
  .transform((value) => Buffer.from(value, value.length === 64 ? 'hex' : 'base64'))

const ownHeaders =
  /^(webhook-.*|content-.*|host|connection|user-agent|transfer-encoding|accept.*|expect|te|trailer|upgrade|keep-alive)$/i

export const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~\w-]{1,100}$/, 'must be the name of a header')
  .refine((name) => !ownHeaders.test(name), 'must not be a header that the service already sends')

export const choice = <const T extends readonly [string, ...string[]]>(values: T, fallback: T[number]) =>
  z.enum(values, `must be one of ${values.join(', ')}`).default(fallback as never)

/** Reads a comma-separated list. Without this rule, a value such as "," would have the effect of no value. */
function entriesOf(value: string, ctx: z.RefinementCtx): string[] {
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  if (entries.length === 0) ctx.addIssue('must have at least one entry, or be empty')
  return entries
}

export const choices = <const T extends string>(values: readonly T[]) =>
  z.string().transform((value, ctx): T[] => {
    const entries = entriesOf(value, ctx)
    if (!entries.every((entry) => values.includes(entry as T)))
      ctx.addIssue(`must be a comma-separated list of ${values.join(', ')}`)
    return values.filter((known) => entries.includes(known))
  })

export function readProxies(value: string, ctx: z.RefinementCtx): boolean | string[] {
  if (value === 'off' || value === 'on') return value === 'on'
  const proxies = entriesOf(value, ctx)
  if (!proxies.every(isNetwork)) {
    ctx.addIssue('must be off, on, or a comma-separated list of addresses and networks of proxies')
  }
  return proxies
}

const browserSchemes = ['http', 'https', 'mailto', 'javascript', 'data', 'vbscript', 'file', 'blob']

/** Reads URL schemes, separated by commas. Skein uses the first one in the mentions that it writes. */
export function readSchemes(value: string, ctx: z.RefinementCtx): [string, ...string[]] {
  const schemes = entriesOf(value, ctx)
  for (const scheme of schemes) {
    if (!/^[a-z][a-z0-9+.-]*$/.test(scheme)) {
      ctx.addIssue('must be a comma-separated list of URL schemes in lower case, such as skein')
    }
    if (browserSchemes.includes(scheme)) ctx.addIssue('must not contain a scheme that browsers open')
  }
  const [first = '', ...others] = schemes
  return [first, ...others]
}

export function readOrigins(value: string, ctx: z.RefinementCtx): string[] {
  const origins = entriesOf(value, ctx)
  const isOrigin = (origin: string) =>
    !origin.includes('*') && URL.canParse(origin) && new URL(origin).origin === origin
  if (!origins.every((origin) => origin === '*' || isOrigin(origin))) {
    ctx.addIssue('must be *, or a comma-separated list of whole origins such as https://app.example.com')
  }
  return origins
}

const domain = /^[^\s@*/:.]+(\.[^\s@*/:.]+)+$/

export function readDomains(value: string, ctx: z.RefinementCtx): string[] {
  const domains = entriesOf(value.toLowerCase(), ctx)
  if (!domains.every((entry) => domain.test(entry))) {
    ctx.addIssue('must be a comma-separated list of domains, such as example.com')
  }
  return domains
}

export function readNetworks(value: string, ctx: z.RefinementCtx): string[] {
  const networks = entriesOf(value, ctx)
  if (!networks.every(isNetwork)) {
    ctx.addIssue('must be a comma-separated list of addresses and networks, such as 10.0.0.0/8')
  }
  return networks
}

/** Reads a list of networks of which each can have a port. */
export function readNetworksWithPorts(value: string, ctx: z.RefinementCtx): string[] {
  const networks = entriesOf(value, ctx)
  const isValid = (entry: string) => {
    const { network, port = '1' } = splitPort(entry)
    return isNetwork(network) && Number(port) >= 1 && Number(port) <= 65_535
  }
  if (!networks.every(isValid)) {
    ctx.addIssue(
      'must be a comma-separated list of addresses and networks, each with or without a port from 1 to 65535, such as 10.0.0.0/8, 10.1.2.3:8080 or [fd00::1]:8080',
    )
  }
  for (const entry of networks) {
    const [, address = '', port] = /^(.+):(\d+)$/.exec(entry) ?? []
    if (isIP(entry) === 6 && isIP(address) === 6)
      ctx.addIssue(
        `has the entry ${entry}, which is an address, but looks like one with a port. Write [${address}]:${port} or ${entry}/128`,
      )
  }
  return networks
}

function isNetwork(proxy: string): boolean {
  const [address = '', prefix = '0', ...rest] = proxy.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  return isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}
