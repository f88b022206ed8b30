import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { checkMailServer, mailerOf } from '../../accounts/mail.ts'
import { identityProviderOf } from '../../accounts/oidc/identity-provider.ts'
import { backupAgeSeconds, backupFailure } from '../../backup/last-backup.ts'
import type { Config, Settings } from '../../config.ts'
import { freeRatioOf } from '../measure-data-dir.ts'
import { openStorage } from '../open-storage.ts'
import { operatorTokenPath } from '../operator-token.ts'
import { type Finding, failure, ok, reasonOf, warning } from './check.ts'

const leastFree = 0.1
const dayHours = 24
const redisTimeoutMs = 3000
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Signs in to the mail server, but sends no mail. */
export async function checkMail(settings: Settings): Promise<Finding> {
  if (!settings.smtp)
    return warning(
      'No mail server is set. Nobody can be invited, or sign in, by mail.',
      'Set SMTP_URL and MAIL_FROM, or hand out the links of "skein admin signin-link".',
    )
  try {
    await checkMailServer({ ...settings, operatorToken: '', signingKey: '' })
    return ok(`The mail server accepts mail from ${settings.smtp.from}.`)
  } catch (error) {
    return failure(
      `The mail server does not accept mail: ${reasonOf(error)}.`,
      'Check SMTP_URL and MAIL_FROM.',
    )
  }
}

/** Says how people can sign in, and reads the configuration of the identity provider. */
export async function checkSignIn(settings: Settings): Promise<Finding> {
  const config = { ...settings, operatorToken: '', signingKey: '' }
  const methods = settings.signInMethods
  try {
    if (methods.includes('oidc')) await identityProviderOf(config)?.check()
  } catch (error) {
    return failure(
      `Nobody can sign in with OpenID Connect: ${reasonOf(error)}`,
      'Check the settings that begin with OIDC_, and that this machine reaches the provider.',
    )
  }
  const names = methods.map((method) => nameOf(method, config))
  return ok(`People sign in with ${alternatives.format(names)}.`)
}

function nameOf(method: Settings['signInMethods'][number], config: Config): string {
  if (method === 'password') return 'a password'
  if (method === 'oidc') return identityProviderOf(config)?.label ?? 'OpenID Connect'
  return mailerOf(config) ? 'a mailed link' : 'a link from the operator'
}

/** Writes a file to DATA_DIR, and connects to the bucket if there is one. */
export async function checkStorage({ dataDir, s3 }: Settings): Promise<Finding> {
  const path = join(dataDir, `doctor-${randomUUID()}`)
  try {
    await writeFile(path, 'x')
    await rm(path)
    const free = await freeRatioOf(dataDir)
    if (s3) await (await openStorage({ s3, dataDir })).close()
    const percent = Math.floor(100 * free)
    if (free < leastFree)
      return warning(`The disk of ${dataDir} has ${percent} % left.`, 'Make room before uploads are refused.')
    return ok(
      `${s3 ? `The bucket ${s3.bucket} answers, and ` : ''}${dataDir} can be written, with ${percent} % left.`,
    )
  } catch (error) {
    return failure(
      `Files cannot be stored: ${reasonOf(error)}.`,
      'Check DATA_DIR and its owner, the disk, and the settings that begin with S3_.',
    )
  }
}

/** Checks that secrets exist, and that only their owner can read them. */
export async function checkKeys({
  dataDir,
  databaseURL,
  encryptionKey,
  operatorToken,
}: Settings): Promise<Finding> {
  const keyPath = join(dataDir, 'encryption-key')
  const tokenPath = operatorTokenPath(dataDir)
  for (const file of [tokenPath, keyPath, join(dataDir, 'starter.json')]) {
    const mode = (await stat(file).catch(() => undefined))?.mode ?? 0
    if (mode & 0o077) return failure(`Others can read ${file}.`, `Run: chmod 600 ${file}`)
  }
  if (operatorToken === undefined && !existsSync(tokenPath))
    return warning(
      `There is no operator token: OPERATOR_TOKEN is not set, and ${tokenPath} does not exist.`,
      'Start the service, which creates the file, or set OPERATOR_TOKEN.',
    )
  if (databaseURL !== undefined && !encryptionKey)
    return warning(
      'ENCRYPTION_KEY is not set. Nobody can create an event endpoint, and the bodies of calls are not stored.',
      'Set ENCRYPTION_KEY to the output of "openssl rand -base64 32", the same for all processes.',
    )
  if (!encryptionKey && !existsSync(keyPath))
    return ok('The operator token is set. The encryption key is created when it is first needed.')
  return ok('The keys are set, and only their owner can read them.')
}

/** Connects to the Redis server that counts rate limits for all processes. */
export async function checkLimits({ redisURL }: Settings): Promise<Finding> {
  if (redisURL === undefined) return ok('Each process counts rate limits by itself.')
  const options = { lazyConnect: true, connectTimeout: redisTimeoutMs, retryStrategy: () => null }
  const client = new Redis(redisURL, { ...options, commandTimeout: redisTimeoutMs, maxRetriesPerRequest: 0 })
  // The error of `connect` does not say what is wrong.
  let reason: unknown
  client.on('error', (error) => {
    reason = error
  })
  try {
    await client.connect()
    await client.ping()
    return ok('Redis counts rate limits for all processes.')
  } catch (error) {
    return failure(
      `Redis does not answer: ${reasonOf(reason ?? error)}. Meanwhile each process counts rate limits by itself.`,
      'Check REDIS_URL, and that the server runs.',
    )
  } finally {
    client.disconnect()
  }
}

export async function checkBackup({ dataDir, databaseURL, backupDir }: Settings): Promise<Finding> {
  if (databaseURL !== undefined)
    return warning(
      'The backup of a database server cannot be seen from here.',
      'Check that it runs, and restore it once (docs/operations.md, "Back up and restore").',
    )
  const reason = await backupFailure(dataDir)
  if (reason !== undefined)
    return failure(
      `The daily backup failed: ${reason}.`,
      `Check the directory of BACKUP_DIR${backupDir === undefined ? '' : ` (${backupDir})`}, its owner and its disk.`,
    )
  const advice =
    backupDir === undefined
      ? 'Set BACKUP_DIR, or run "skein admin backup FILE" every day. Keep backups on another machine.'
      : 'BACKUP_DIR is set. Check that the service runs with this setting, and read its log.'
  const age = await backupAgeSeconds(dataDir)
  if (age === undefined) return warning('The service has never been backed up.', advice)
  const hours = Math.round(age / 3600)
  return hours > 2 * dayHours
    ? warning(`The last backup is ${hours} hours old.`, advice)
    : ok(`The last backup is ${hours} hours old.`)
}
