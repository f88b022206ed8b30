import { resolve } from 'node:path'
import { z } from 'zod'
import {
  bucket,
  choice,
  choices,
  databaseURL,
  encryptionKey,
  headerName,
  issuer,
  readDomains,
  readNetworks,
  readNetworksWithPorts,
  readOrigins,
  readProxies,
  readSchemes,
  redisURL,
  rootURL,
  sender,
  smtpURL,
  url,
  wholeNumber,
} from './platform/setting-types.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

export const operatorTokenPattern = /^[\w.~+/-]{32,512}=*$/
export const operatorTokenRule =
  'must be 32 to 512 characters from A-Z, a-z, 0-9 and -._~+/ ("=" is also allowed at the end)'

/** The ways in which people can sign in. */
export const signInMethods = ['password', 'link', 'oidc'] as const
export type SignInMethod = (typeof signInMethods)[number]

/** Every variable that the service reads. `.env.example` has a line for each. */
export const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(3000, 1, 65_535),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: wholeNumber(0, 0, 65_535),
  BASE_URL: rootURL.optional(),
  WEBHOOK_BASE_URL: url.optional(),
  TRUST_PROXY: z.string().default('off').transform(readProxies),
  CORS_ORIGINS: z.string().transform(readOrigins).default([]),
  DATA_DIR: z.string().default('./data'),
  BACKUP_DIR: z.string().optional(),
  DATABASE_URL: databaseURL.optional(),
  DATABASE_POOL_SIZE: wholeNumber(10, 1, 1000),
  REDIS_URL: redisURL.optional(),
  OPERATOR_TOKEN: z.string().regex(operatorTokenPattern, operatorTokenRule).optional(),
  OPERATOR_ALLOWED_ADDRESSES: z.string().transform(readNetworks).default([]),
  SIGN_IN_METHODS: choices(signInMethods).optional(),
  SMTP_URL: smtpURL.optional(),
  MAIL_FROM: sender.optional(),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().optional(),
  OIDC_ALLOWED_DOMAINS: z.string().transform(readDomains).optional(),
  SKEIN_STARTER: choice(['on', 'off'], 'on'),
  SLOW_STATEMENT_MS: wholeNumber(1000, 0, 3_600_000),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  MENTION_SCHEMES: z.string().default('skein').transform(readSchemes),
  TOKEN_TTL_SECONDS: wholeNumber(3600, 1, 31_536_000),
  WEBHOOK_RATE_PER_MINUTE: wholeNumber(6000, 0, 1_000_000_000),
  TOKEN_RATE_PER_MINUTE: wholeNumber(6000, 0, 1_000_000_000),
  UPLOAD_RATE_PER_MINUTE: wholeNumber(1200, 0, 1_000_000_000),
  DOWNLOAD_RATE_PER_MINUTE: wholeNumber(6000, 0, 1_000_000_000),
  WRONG_CREDENTIALS_PER_MINUTE: wholeNumber(60, 0, 100_000_000),
  SIGNIN_ATTEMPTS_PER_MINUTE: wholeNumber(10, 0, 100_000_000),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(0, 0, 1_000_000),
  GRAPHQL_OPERATIONS_AT_ONCE: wholeNumber(8, 1, 1000),
  SUBSCRIPTIONS_PER_CALLER: wholeNumber(100, 0, 100_000),
  SUBSCRIPTIONS: wholeNumber(20_000, 0, 1_000_000),
  WEBSOCKET_MESSAGES_PER_SECOND: wholeNumber(100, 0, 1_000_000),
  INSTALLATION_POINTS_PER_MINUTE: wholeNumber(10_000_000, 0, 1_000_000_000),
  WORKSPACE_POINTS_PER_MINUTE: wholeNumber(20_000_000, 0, 1_000_000_000),
  MAX_JSON_BYTES: wholeNumber(256 * kibibyte, kibibyte, 64 * mebibyte),
  MAX_FORMAT_BYTES: wholeNumber(4 * mebibyte, kibibyte, 64 * mebibyte),
  MAX_TEXT_CHARACTERS: wholeNumber(40_000, 1, 1_000_000),
  MAX_SUBJECT_CHARACTERS: wholeNumber(250, 1, 10_000),
  MAX_KEY_CHARACTERS: wholeNumber(255, 1, 500),
  MAX_ATTACHMENTS: wholeNumber(10, 0, 10),
  MAX_FILE_BYTES: wholeNumber(256 * mebibyte, 0, 2 ** 31 - 1),
  MAX_WORKSPACE_BYTES: wholeNumber(0, 0, Number.MAX_SAFE_INTEGER),
  MAX_FILE_NAME_BYTES: wholeNumber(255, 1, 1000),
  DOWNLOAD_TTL_SECONDS: wholeNumber(900, 1, 604_800),
  UPLOAD_TICKET_TTL_SECONDS: wholeNumber(900, 1, 86_400),
  EVENT_TTL_DAYS: wholeNumber(7, 1, 365),
  AUDIT_TTL_DAYS: wholeNumber(365, 1, 3650),
  SESSION_MAX_DAYS: wholeNumber(180, 1, 3650),
  EVENT_TIMEOUT_SECONDS: wholeNumber(10, 1, 60),
  EVENT_SIGNATURE_HEADER: headerName.default('X-Skein-Event-Signature'),
  EVENT_ALLOW_PRIVATE_ADDRESSES: z.string().transform(readNetworksWithPorts).default([]),
  ENCRYPTION_KEY: encryptionKey.optional(),
  ENCRYPTION_KEY_PREVIOUS: encryptionKey.optional(),
  UNATTACHED_FILE_TTL_SECONDS: wholeNumber(86_400, 60, 31_536_000),
  S3_BUCKET: bucket.optional(),
  S3_ENDPOINT: url.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: choice(['on', 'off'], 'off'),
  REQUEST_TIMEOUT_SECONDS: wholeNumber(300, 1, 86_400),
  GRAPHQL_TIMEOUT_SECONDS: wholeNumber(30, 1, 3600),
  EXPLORER: choice(['on', 'off'], 'on'),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 0, 300),
  SHUTDOWN_TIMEOUT_SECONDS: wholeNumber(10, 0, 3600),
})

/** Settings that have no effect without another setting. */
const requirements = [
  ['ENCRYPTION_KEY_PREVIOUS', 'ENCRYPTION_KEY'],
  ['S3_ENDPOINT', 'S3_BUCKET'],
  ['S3_ACCESS_KEY_ID', 'S3_BUCKET'],
  ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
  ['OIDC_LABEL', 'OIDC_ISSUER'],
  ['OIDC_ALLOWED_DOMAINS', 'OIDC_ISSUER'],
] as const

const consistent = environment
  .superRefine((env, ctx) => {
    for (const [name, required] of requirements)
      if (env[name] !== undefined && env[required] === undefined)
        ctx.addIssue({ code: 'custom', path: [required], message: `must be set if ${name} is set` })
  })
  .refine((env) => (env.SMTP_URL === undefined) === (env.MAIL_FROM === undefined), {
    path: ['MAIL_FROM'],
    error: 'and SMTP_URL must be set together',
  })
  .refine((env) => !env.SIGN_IN_METHODS?.includes('oidc') || env.OIDC_ISSUER !== undefined, {
    path: ['OIDC_ISSUER'],
    error: 'and OIDC_CLIENT_ID must be set if SIGN_IN_METHODS contains oidc',
  })
  .refine((env) => (env.OIDC_ISSUER === undefined) === (env.OIDC_CLIENT_ID === undefined), {
    path: ['OIDC_CLIENT_ID'],
    error: 'and OIDC_ISSUER must be set together',
  })
  .refine((env) => (env.S3_ACCESS_KEY_ID === undefined) === (env.S3_SECRET_ACCESS_KEY === undefined), {
    path: ['S3_SECRET_ACCESS_KEY'],
    error: 'and S3_ACCESS_KEY_ID must be set together',
  })

export type Settings = ReturnType<typeof toSettings>

/** `signingKey` is in the database, which all processes share. */
export type Config = Settings & { operatorToken: string; signingKey: string }

/** Reads the configuration. An empty variable counts as absent. Throws an Error that lists every problem. */
export function readConfig(env: Record<string, string | undefined>): Settings {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = consistent.safeParse(present)
  if (result.success) return toSettings(result.data)
  const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`)
  throw new Error(`The configuration is not valid:\n${problems.join('\n')}`)
}

function toSettings(env: z.infer<typeof environment>) {
  const host = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(env.HOST) ? 'localhost' : env.HOST
  const localURL = `http://${host.includes(':') ? `[${host}]` : host}:${env.PORT}`
  const baseURL = env.BASE_URL ?? localURL
  return {
    // For localhost, Fastify would open a second server at ::1, to which the limits of connections would not apply.
    host: env.HOST === 'localhost' ? '127.0.0.1' : env.HOST,
    port: env.PORT,
    metrics: env.METRICS_PORT > 0 ? { host: env.METRICS_HOST, port: env.METRICS_PORT } : undefined,
    localURL,
    baseURL,
    webhookBaseURL: env.WEBHOOK_BASE_URL ?? baseURL,
    trustProxy: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS,
    dataDir: resolve(env.DATA_DIR),
    backupDir: env.BACKUP_DIR === undefined ? undefined : resolve(env.BACKUP_DIR),
    databaseURL: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    redisURL: env.REDIS_URL,
    operatorToken: env.OPERATOR_TOKEN,
    operatorNetworks: env.OPERATOR_ALLOWED_ADDRESSES,
    signInMethods: signInMethodsOf(env),
    smtp: env.SMTP_URL && env.MAIL_FROM ? { url: env.SMTP_URL, from: env.MAIL_FROM } : undefined,
    oidc: oidcOf(env),
    starter: env.SKEIN_STARTER === 'on',
    logLevel: env.LOG_LEVEL,
    slowStatementMs: env.SLOW_STATEMENT_MS,
    mentionSchemes: env.MENTION_SCHEMES,
    tokenTTLSeconds: env.TOKEN_TTL_SECONDS,
    webhookRatePerMinute: env.WEBHOOK_RATE_PER_MINUTE,
    tokenRatePerMinute: env.TOKEN_RATE_PER_MINUTE,
    uploadRatePerMinute: env.UPLOAD_RATE_PER_MINUTE,
    downloadRatePerMinute: env.DOWNLOAD_RATE_PER_MINUTE,
    wrongCredentialsPerMinute: env.WRONG_CREDENTIALS_PER_MINUTE,
    eventTTLDays: env.EVENT_TTL_DAYS,
    auditTTLDays: env.AUDIT_TTL_DAYS,
    sessionMaxDays: env.SESSION_MAX_DAYS,
    eventTimeoutSeconds: env.EVENT_TIMEOUT_SECONDS,
    eventSignatureHeader: env.EVENT_SIGNATURE_HEADER,
    eventNetworks: env.EVENT_ALLOW_PRIVATE_ADDRESSES,
    encryptionKey: env.ENCRYPTION_KEY,
    previousEncryptionKey: env.ENCRYPTION_KEY_PREVIOUS,
    signInAttemptsPerMinute: env.SIGNIN_ATTEMPTS_PER_MINUTE,
    maxConnectionsPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
    maxWorkspaceBytes: env.MAX_WORKSPACE_BYTES,
    operationsAtOnce: env.GRAPHQL_OPERATIONS_AT_ONCE,
    subscriptionsPerCaller: env.SUBSCRIPTIONS_PER_CALLER,
    subscriptions: env.SUBSCRIPTIONS,
    webSocketMessagesPerSecond: env.WEBSOCKET_MESSAGES_PER_SECOND,
    installationPointsPerMinute: env.INSTALLATION_POINTS_PER_MINUTE,
    workspacePointsPerMinute: env.WORKSPACE_POINTS_PER_MINUTE,
    downloadTTLSeconds: env.DOWNLOAD_TTL_SECONDS,
    uploadTicketTTLSeconds: env.UPLOAD_TICKET_TTL_SECONDS,
    unattachedFileTTLSeconds: env.UNATTACHED_FILE_TTL_SECONDS,
    s3: s3Of(env),
    requestTimeoutSeconds: env.REQUEST_TIMEOUT_SECONDS,
    graphqlTimeoutSeconds: env.GRAPHQL_TIMEOUT_SECONDS,
    explorer: env.EXPLORER === 'on',
    shutdownDelaySeconds: env.SHUTDOWN_DELAY_SECONDS,
    shutdownTimeoutSeconds: env.SHUTDOWN_TIMEOUT_SECONDS,
    limits: {
      jsonBytes: env.MAX_JSON_BYTES,
      formatBytes: env.MAX_FORMAT_BYTES,
      textCharacters: env.MAX_TEXT_CHARACTERS,
      subjectCharacters: env.MAX_SUBJECT_CHARACTERS,
      keyCharacters: env.MAX_KEY_CHARACTERS,
      attachments: env.MAX_ATTACHMENTS,
      fileBytes: env.MAX_FILE_BYTES,
      fileNameBytes: env.MAX_FILE_NAME_BYTES,
    },
  }
}

function signInMethodsOf(env: z.infer<typeof environment>): readonly SignInMethod[] {
  const configured = signInMethods.filter((method) => method !== 'oidc' || env.OIDC_ISSUER !== undefined)
  return env.SIGN_IN_METHODS ?? configured
}

function oidcOf(env: z.infer<typeof environment>) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientID, OIDC_CLIENT_SECRET: clientSecret } = env
  if (issuer === undefined || clientID === undefined) return undefined
  const label = env.OIDC_LABEL ?? new URL(issuer).host
  return { issuer, clientID, clientSecret, label, allowedDomains: env.OIDC_ALLOWED_DOMAINS ?? [] }
}

function s3Of(env: z.infer<typeof environment>) {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (bucket === undefined) return undefined
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
  return {
    bucket,
    credentials,
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    forcePathStyle: env.S3_FORCE_PATH_STYLE === 'on',
  }
}

export type Limits = Config['limits']

/** Returns a function that calls `create` once for each limits object, for example to create a schema. */
export function cachedPerLimits<T>(create: (limits: Limits) => T): (limits: Limits) => T {
  return cachedByObject(create)
}

export function cachedPerConfig<T>(create: (config: Config) => T): (config: Config) => T {
  return cachedByObject(create)
}

function cachedByObject<Key extends object, T>(create: (key: Key) => T): (key: Key) => T {
  const cache = new WeakMap<Key, T>()
  return (key) => {
    const cached = cache.get(key) ?? create(key)
    cache.set(key, cached)
    return cached
  }
}
