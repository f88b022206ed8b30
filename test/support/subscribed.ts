import { createClient } from 'graphql-sse'
import type { GraphQLAnswer } from './service.ts'

type Request = { query: string; variables: Record<string, unknown> }

/**
 * Subscribes with Server-Sent Events, as a client does. Returns the results until `isLast` accepts one, or until the
 * service ends the subscription.
 */
export async function subscribed(
  url: string,
  headers: Record<string, string>,
  request: Request,
  isLast: (answer: GraphQLAnswer) => boolean,
): Promise<GraphQLAnswer[]> {
  // A connection that stays open would delay the end of the service.
  const client = createClient({ url, headers: { ...headers, connection: 'close' }, retryAttempts: 0 })
  const answers: GraphQLAnswer[] = []
  for await (const result of client.iterate(request)) {
    const answer = result as GraphQLAnswer
    answers.push(answer)
    if (isLast(answer)) break
  }
  client.dispose()
  return answers
}
