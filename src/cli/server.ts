import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { addressPath } from '../start/address-file.ts'
import { operatorTokenPath } from '../start/operator-token.ts'
import type { Server } from './client.ts'
import { Failure } from './failure.ts'

export type Environment = Record<string, string | undefined>

export function dataDirOf(env: Environment): string {
  return resolve(env.DATA_DIR || './data')
}

/** Returns the URL from PORT, or from the file that the running server writes. */
export function defaultURL(env: Environment): string {
  if (env.PORT) return `http://localhost:${env.PORT}`
  return writtenAddress(addressPath(dataDirOf(env))) ?? 'http://localhost:3000'
}

function writtenAddress(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return problemOfURL(text) === undefined ? text : undefined
  } catch {
    return undefined
  }
}

export function problemOfURL(text: string): string | undefined {
  if (!URL.canParse(text) || !/^https?:\/\/[^?#]+$/.test(text)) {
    return 'It must be an http or https URL without a query or fragment.'
  }
  const { username, password } = new URL(text)
  return username || password ? 'It must not contain a user name or password.' : undefined
}

/** Returns the server with its token. Does not create a missing token, because the server does that. */
export function serverAt(url: string, env: Environment): Server {
  const { token, tokenSource } = env.OPERATOR_TOKEN
    ? { token: env.OPERATOR_TOKEN, tokenSource: 'OPERATOR_TOKEN' }
    : readToken(operatorTokenPath(dataDirOf(env)))
  if (!/^[\w.~+/-]+=*$/.test(token)) {
    throw new Failure(`The token in ${tokenSource} is not valid: it is empty or contains invalid characters.`)
  }
  return { url: url.replace(/\/+$/, ''), token, tokenSource }
}

function readToken(path: string): { token: string; tokenSource: string } {
  try {
    return { token: readFileSync(path, 'utf8').trim(), tokenSource: path }
  } catch (error) {
    throw new Failure(
      `No operator token was found: OPERATOR_TOKEN is not set, and ${path} ${whyUnread(error)}\n` +
        'The server creates this file when it first starts. ' +
        'Set DATA_DIR to its data directory, or set OPERATOR_TOKEN.',
    )
  }
}

function whyUnread(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'does not exist.'
  if (code === 'EACCES')
    return 'cannot be read by this user. Run this command as the user who runs the server.'
  return `cannot be read (${code}).`
}
