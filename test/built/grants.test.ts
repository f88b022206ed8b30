import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningProcess, startProcess } from '../support/process.ts'

const verifier = 'a-code-verifier-of-the-tests-0123456789-abcdefgh'
const sameOrigin = { 'sec-fetch-site': 'same-origin' }
let service: RunningProcess
let starter: Record<'workspaceID' | 'clientID' | 'clientSecret' | 'redirectURI' | 'operatorToken', string>
let cookie: string

beforeAll(async () => {
  service = await startProcess()
  starter = JSON.parse(await readFile(join(service.dataDir, 'starter.json'), 'utf8'))
  cookie = await signIn('ada@example.com')
})
afterAll(() => service.stop())

type Tokens = Record<'access_token' | 'refresh_token' | 'workspace_id' | 'error', string>

async function tokensOf(answer: Response): Promise<Tokens> {
  return (await answer.json()) as Tokens
}

type GraphQLAnswer = { data: { createSignInLink: { url: string } }; errors?: object[] }

async function graphql(token: string, query: string, path = '/public/graphql'): Promise<GraphQLAnswer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ query })
  const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body })
  return (await answer.json()) as GraphQLAnswer
}

function send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const options = { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' } as const
  return fetch(`${service.url}${path}`, options)
}

async function signIn(email: string): Promise<string> {
  const mutation = `mutation { createSignInLink(input: { email: "${email}" }) { url } }`
  const { data } = await graphql(starter.operatorToken, mutation, '/operator/graphql')
  const answer = await send(new URL(data.createSignInLink.url).pathname, {}, sameOrigin)
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Opens the consent page and presses Allow. Returns the code. */
async function consent(): Promise<string> {
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: starter.clientID,
    redirect_uri: starter.redirectURI,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const page = await (
    await fetch(`${service.url}/oauth/authorize?${parameters}`, { headers: { cookie } })
  ).text()
  const account = /name="account" value="(\w+)"/.exec(page)?.[1] ?? ''
  const form = {
    ...Object.fromEntries(parameters),
    account,
    workspace: starter.workspaceID,
    decision: 'allow',
  }
  const answer = await send('/oauth/authorize', form, { cookie, ...sameOrigin })
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

function requestToken(fields: Record<string, string>) {
  const { clientID, clientSecret, redirectURI } = starter
  const client = { client_id: clientID, client_secret: clientSecret }
  return send('/oauth/token', { ...client, redirect_uri: redirectURI, ...fields })
}

const exchange = (code: string) =>
  requestToken({ grant_type: 'authorization_code', code, code_verifier: verifier })
const refresh = (token: string) => requestToken({ grant_type: 'refresh_token', refresh_token: token })

async function restartAfterKill(): Promise<void> {
  service.child.kill('SIGKILL')
  await once(service.child, 'close')
  service = await startProcess({ DATA_DIR: service.dataDir })
}

async function works(token: string): Promise<boolean> {
  return (await graphql(token, '{ me { id } }')).errors === undefined
}

test('a code works only once, even after SIGKILL', async () => {
  const code = await consent()
  await restartAfterKill()
  const answer = await exchange(code)
  const tokens = await tokensOf(answer)
  expect([answer.status, tokens.workspace_id]).toEqual([200, starter.workspaceID])
  expect(await works(tokens.access_token)).toBe(true)
  expect((await exchange(code)).status).toBe(400)
  expect(await works(tokens.access_token)).toBe(false)
})

test('after SIGKILL interrupts the exchange of a code, the next exchange returns tokens or refuses the used code', async () => {
  const code = await consent()
  const interrupted = exchange(code).then(
    async (answer) => (await tokensOf(answer)).access_token,
    () => undefined,
  )
  await restartAfterKill()
  const token = await interrupted
  // If the answer arrived, its token was stored.
  if (token !== undefined) expect(await works(token)).toBe(true)
  const answer = await exchange(code)
  const tokens = await tokensOf(answer)
  if (answer.status === 200) {
    expect(token).toBeUndefined()
    expect(await works(tokens.access_token)).toBe(true)
    expect((await refresh(tokens.refresh_token)).status).toBe(200)
  } else {
    expect([answer.status, tokens.error]).toEqual([400, 'invalid_grant'])
    if (token !== undefined) expect(await works(token)).toBe(false)
  }
})

test('a refresh token works after SIGKILL, even if it was exchanged before and the answer was lost', async () => {
  const tokens = await tokensOf(await exchange(await consent()))
  await refresh(tokens.refresh_token)
  await restartAfterKill()
  const renewed = await tokensOf(await refresh(tokens.refresh_token))
  expect(await works(renewed.access_token)).toBe(true)
})
