import { expect } from 'vitest'
import type { GraphQLAnswer, Service } from './service.ts'

/** Runs the mutation of this name, and gives the whole answer. */
export function mutate(service: Service, token: string, name: string, input: object, selection: string) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
  return service.graphql(token, `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`, {
    input,
  })
}

/** The same where it is to succeed: its payload. */
export async function mutated(...args: Parameters<typeof mutate>) {
  const answer = await mutate(...args)
  expect(answer.errors).toBeUndefined()
  return answer.data[args[2]]
}

/** The same where it is to be refused: the code, and the fields of the input that are named. */
export async function refused(...args: Parameters<typeof mutate>): Promise<string[]> {
  return refusalIn(await mutate(...args), args[2])
}

export function refusalIn(answer: GraphQLAnswer, field: string): string[] {
  expect(answer.data).toEqual({ [field]: null })
  const [error, ...more] = answer.errors ?? []
  expect([error?.path, more]).toEqual([[field], []])
  const fields = (error?.extensions.errors ?? []) as { field: string }[]
  return [error?.extensions.code ?? '', ...fields.map((each) => each.field).sort()]
}
