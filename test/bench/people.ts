import { operate, type World } from './worlds.ts'

const scopes = [
  'threads:read',
  'threads:write',
  'threads.messages:read',
  'threads.messages:write',
  'groups:read',
]

/** Creates a person. Returns a copy of the world whose user and token are those of the person. */
export async function withPerson(url: string, world: World, name: string): Promise<World> {
  const { workspaceID } = world
  const email = `${name}@bench.example.com`
  const { createUser } = await operate(
    url,
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }',
    { input: { workspaceID, name, email } },
  )
  const { createSignInLink } = await operate(
    url,
    'mutation ($input: CreateSignInLinkInput!) { createSignInLink(input: $input) { url } }',
    { input: { email } },
  )
  const link = new URL(createSignInLink.url)
  const headers = { 'sec-fetch-site': 'same-origin', 'skein-workspace': workspaceID }
  const signedIn = await fetch(url + link.pathname + link.search, {
    ...{ method: 'POST', redirect: 'manual', headers, body: new URLSearchParams() },
  })
  const [cookie = ''] = signedIn.headers.getSetCookie()
  const token = await createToken(url, { ...headers, cookie: cookie.split(';')[0] ?? '' })
  return { ...world, appUserID: createUser.user.id, token }
}

async function createToken(url: string, headers: Record<string, string>): Promise<string> {
  const query = `mutation ($input: CreatePersonalAccessTokenInput!) {
    createPersonalAccessToken(input: $input) { accessToken } }`
  const answer = await fetch(`${url}/public/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input: { name: 'Bench', scopes, expiresInDays: 1 } } }),
  })
  const { data } = (await answer.json()) as { data: { createPersonalAccessToken: { accessToken: string } } }
  return data.createPersonalAccessToken.accessToken
}
