import { scopes } from '../../../src/scopes.ts'
import type { Client } from './requests.ts'
import { operatorToken } from './service-process.ts'

/** An app in a workspace, which writes or reads as its app user. */
export type Member = { appID: string; token: string; userID: string }
type CreatedApp = { clientID: string; clientSecret: string; installation: { user: { id: string } } }

type CreatedToken = { data: { createPersonalAccessToken: { accessToken: string } } }

const redirectURI = 'https://app.example.com/callback'

/** Creates the objects of a history before the first fault. Therefore every request must succeed. */
export class Setup {
  readonly #client: Client
  readonly #url: string

  constructor(client: Client, url: string) {
    this.#client = client
    this.#url = url
  }

  async workspace(name: string): Promise<string> {
    const query =
      'mutation ($input: CreateWorkspaceInput!) { createWorkspace(input: $input) { workspace { id } } }'
    type Created = { workspace: { id: string } }
    const { workspace } = await this.#must<Created>(query, { name }, { path: '/operator/graphql' })
    return workspace.id
  }

  async webhook(workspaceID: string): Promise<{ path: string; userID: string }> {
    const query = `mutation ($input: CreateWebhookInput!) {
      createWebhook(input: $input) { url webhook { user { id } } } }`
    type Created = { url: string; webhook: { user: { id: string } } }
    const { url, webhook } = await this.#must<Created>(query, { workspaceID, name: 'Alerts' })
    return { path: new URL(url).pathname, userID: webhook.user.id }
  }

  async group(input: { workspaceID: string; name: string; isPrivate: boolean }, userIDs: string[]) {
    const query = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }'
    const { group } = await this.#must<{ group: { id: string } }>(query, input)
    const add = 'mutation ($input: AddMembersInput!) { addMembers(input: $input) { group { id } } }'
    await this.#must(add, { groupID: group.id, userIDs })
    return group.id
  }

  /** Starts a thread. Without a subject, the message goes to the chat of the only recipient. */
  async thread(
    { token }: Pick<Member, 'token'>,
    recipients: string[],
    subject: string | null = 'Topic',
  ): Promise<string> {
    const query = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { thread { id } } }'
    const message = { text: `The beginning for ${recipients.join(' and ')}` }
    const input = { thread: { recipients, subject }, message }
    const { thread } = await this.#must<{ thread: { id: string } }>(query, input, { token })
    return thread.id
  }

  async member(workspaceID: string, { isAdmin = false } = {}): Promise<Member> {
    const query = `mutation ($input: CreateAppInput!) {
      createApp(input: $input) { clientID clientSecret installation { user { id } } } }`
    const input = { workspaceID, name: 'Robot', redirectURIs: [redirectURI], scopes }
    const app = await this.#must<CreatedApp>(query, input)
    const userID = app.installation.user.id
    if (isAdmin) await this.promote(workspaceID, userID)
    return { appID: app.clientID, token: await this.#token(workspaceID, app), userID }
  }

  async promote(workspaceID: string, userID: string): Promise<void> {
    const query = 'mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { group { id } } }'
    await this.#must(query, { groupID: workspaceID, userID, role: 'admin' })
  }

  /** Creates a person, who uses the API with a personal token. */
  async person(workspaceID: string, name: string): Promise<Member> {
    const email = `${name.toLowerCase()}@example.com`
    const create = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }'
    const { user } = await this.#must<{ user: { id: string } }>(create, { workspaceID, name, email })
    const link = 'mutation ($input: CreateSignInLinkInput!) { createSignInLink(input: $input) { url } }'
    const { url } = await this.#must<{ url: string }>(link, { email }, { path: '/operator/graphql' })
    const headers = { 'sec-fetch-site': 'same-origin', 'skein-workspace': workspaceID }
    const signedIn = await fetch(this.#url + new URL(url).pathname + new URL(url).search, {
      ...{ method: 'POST', redirect: 'manual', headers, body: new URLSearchParams() },
    })
    const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0])
    const query = `mutation ($input: CreatePersonalAccessTokenInput!) {
      createPersonalAccessToken(input: $input) { accessToken } }`
    const answer = await fetch(`${this.#url}/public/graphql`, {
      method: 'POST',
      headers: { ...headers, cookie: cookie.join('; '), 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { input: { name: 'History', scopes, expiresInDays: 1 } } }),
    })
    const { data } = (await answer.json()) as CreatedToken
    return { appID: '', token: data.createPersonalAccessToken.accessToken, userID: user.id }
  }

  /** Creates an endpoint to which the events of an app are sent. */
  async endpoint(appID: string, url: string): Promise<string> {
    const query = `mutation ($input: CreateEventEndpointInput!) {
      createEventEndpoint(input: $input) { eventEndpoint { id } } }`
    type Created = { eventEndpoint: { id: string } }
    return (await this.#must<Created>(query, { appID, url })).eventEndpoint.id
  }

  async #token(workspaceID: string, { clientID, clientSecret }: CreatedApp): Promise<string> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      subject: workspaceID,
      redirect_uri: redirectURI,
      client_id: clientID,
      client_secret: clientSecret,
    })
    const response = await fetch(`${this.#url}/oauth/token`, { method: 'POST', body })
    return ((await response.json()) as { access_token: string }).access_token
  }

  async #must<Value>(
    query: string,
    input: object,
    { token = operatorToken, path = '/public/graphql' } = {},
  ): Promise<Value> {
    const { value } = await this.#client.ask<Value>(`${this.#url}${path}`, token, query, { input })
    if (value === undefined) throw new Error(`The setup failed: ${this.#client.surprises.join('\n')}`)
    return value
  }
}
