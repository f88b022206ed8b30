import { operatorToken } from './processes.ts'

const redirectURI = 'https://bench.example.com/callback'

/** A workspace with the objects and credentials that a load needs. */
export type World = Reader & {
  workspaceID: string
  /** A public group, and a private one that neither the webhook nor the app is in. */
  groupID: string
  privateGroupID: string
  webhookPath: string
  webhookUserID: string
}

/** An app, with the form of its token requests and a token. */
type Reader = { appUserID: string; form: string; token: string }

export async function makeWorld(url: string): Promise<World> {
  const { createWorkspace } = await operate(
    url,
    'mutation { createWorkspace(input: { name: "Bench" }) { workspace { id } } }',
  )
  const workspaceID: string = createWorkspace.workspace.id
  const made = await operate(
    url,
    `mutation ($workspaceID: ID!) {
      group: createGroup(input: { workspaceID: $workspaceID, name: "Alerts" }) { group { id } }
      hidden: createGroup(input: { workspaceID: $workspaceID, name: "Leads", isPrivate: true }) { group { id } }
      webhook: createWebhook(input: { workspaceID: $workspaceID, name: "Monitor" }) { url webhook { user { id } } }
    }`,
    { workspaceID },
  )
  return {
    workspaceID,
    groupID: made.group.group.id,
    privateGroupID: made.hidden.group.id,
    webhookPath: new URL(made.webhook.url).pathname,
    webhookUserID: made.webhook.webhook.user.id,
    ...(await makeReader(url, workspaceID)),
  }
}

export async function makeWorlds(url: string, count: number): Promise<World[]> {
  const worlds: World[] = []
  while (worlds.length < count) worlds.push(await makeWorld(url))
  return worlds
}

/** Creates readers of a world. Returns a copy of the world for each reader. */
export async function withReaders(url: string, world: World, count: number): Promise<World[]> {
  const readers: World[] = []
  while (readers.length < count) readers.push({ ...world, ...(await makeReader(url, world.workspaceID)) })
  return readers
}

async function makeReader(url: string, workspaceID: string): Promise<Reader> {
  const { app } = await operate(
    url,
    `mutation ($workspaceID: ID!, $redirectURIs: [URL!]!) {
      app: createApp(input: { workspaceID: $workspaceID, name: "Reader", redirectURIs: $redirectURIs }) {
        clientID clientSecret installation { user { id } }
      }
    }`,
    { workspaceID, redirectURIs: [redirectURI] },
  )
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    subject: workspaceID,
    redirect_uri: redirectURI,
    client_id: app.clientID,
    client_secret: app.clientSecret,
  }).toString()
  return { appUserID: app.installation.user.id, form, token: await askForToken(url, form) }
}

async function askForToken(url: string, form: string): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(`${url}/oauth/token`, { method: 'POST', headers, body: form })
  if (!answer.ok) throw new Error(`No token: ${await answer.text()}`)
  return ((await answer.json()) as { access_token: string }).access_token
}

// biome-ignore lint/suspicious/noExplicitAny: the query says what is answered
type Answered = any

export async function operate(url: string, query: string, variables: object = {}): Promise<Answered> {
  const answer = await fetch(`${url}/operator/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const body = (await answer.json()) as { data?: Answered; errors?: object[] }
  if (!answer.ok || body.errors) throw new Error(`The operator was refused: ${JSON.stringify(body)}`)
  return body.data
}
