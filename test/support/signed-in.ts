import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { graphqlAs, signIn } from './browser-session.ts'
import type { World } from './factories.ts'
import { giveRole } from './roles.ts'
import type { GraphQLAnswer, Service } from './service.ts'

export type Ask = (query: string, variables?: object) => Promise<GraphQLAnswer>

let number = 0

/** Creates a person of the world who is signed in. `ask` sends GraphQL requests as this person. */
export async function signedIn(
  service: Service,
  { operator, workspaceID, generalGroupID }: Pick<World, 'operator' | 'workspaceID' | 'generalGroupID'>,
  role: 'admin' | 'member',
) {
  number += 1
  const email = `${role}${number}@example.com`
  const { id } = await createPerson(operator, { workspaceID, name: `Person ${number}`, email })
  await giveRole(operator, { workspaceID, groupID: generalGroupID, userID: id, role })
  const cookie = await signIn(service, operator, email)
  const ask: Ask = (query, variables) => graphqlAs(service, { cookie, workspaceID }, query, variables)
  return { id, email, cookie, ask }
}
