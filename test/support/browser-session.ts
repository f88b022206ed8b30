import type { InjectOptions } from 'fastify'
import { createSignInLink } from '../../src/accounts/links/sign-in-links.ts'
import type { Context } from '../../src/context.ts'
import type { GraphQLAnswer, Service } from './service.ts'

export const sameOrigin = { 'sec-fetch-site': 'same-origin' }

/** Sends a form as a browser does from a page of the service. */
export function postForm(
  { app }: Service,
  url: string,
  fields: Record<string, string> = {},
  headers: InjectOptions['headers'] = sameOrigin,
) {
  const payload = new URLSearchParams(fields).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.inject({ method: 'POST', url, headers: { ...type, ...headers }, payload })
}

/** The password that a person chooses who joins a workspace with `joinBy`. */
export const joiningPassword = 'winter-morning-bread'

/** Accepts an invitation. Without a mail server and an identity provider, the person must choose a password. */
export function joinBy(service: Service, link: string, headers?: InjectOptions['headers']) {
  return postForm(service, link, { password: joiningPassword }, headers)
}

/** Signs in the owner of an email address. Returns the cookie. */
export async function signIn(service: Service, { db }: Context, email: string): Promise<string> {
  const link = await createSignInLink(db, { email, workspaceID: null, provesEmail: true })
  const answer = await postForm(service, link)
  const [cookie] = answer.cookies
  if (!cookie) throw new Error(`The answer has no cookie: ${answer.statusCode} ${answer.body}`)
  return `${cookie.name}=${cookie.value}`
}

/** Sends a GraphQL request with the cookie of a session, as a page of the service does. */
export async function graphqlAs(
  { app }: Service,
  { cookie, workspaceID }: { cookie: string; workspaceID?: string },
  query: string,
  variables?: object,
): Promise<GraphQLAnswer> {
  const workspace = workspaceID === undefined ? {} : { 'skein-workspace': workspaceID }
  const headers = { cookie, ...workspace, ...sameOrigin }
  const url = '/public/graphql'
  const answer = await app.inject({ method: 'POST', url, headers, payload: { query, variables } })
  const { extensions: _cost, ...body } = answer.json()
  return body
}

/** Returns the cookie that an answer sets. */
export function cookieOf({ cookies: [cookie] }: Awaited<ReturnType<typeof postForm>>): string {
  if (!cookie) throw new Error('The answer sets no cookie')
  return `${cookie.name}=${cookie.value}`
}
