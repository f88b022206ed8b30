import { expect } from 'vitest'
import type { GraphQLAnswer, Service } from './service.ts'

/** Returns the document of a mutation, whose variable is its `input`. */
export function mutation(name: string, selection: string): string {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  return `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
}

/** Runs a mutation, and returns the whole response. */
export function mutate(service: Service, token: string, name: string, input: object, selection: string) {
  return service.graphql(token, mutation(name, selection), { input })
}

/** Runs a mutation that must succeed, and returns its payload. */
export async function mutated(...args: Parameters<typeof mutate>) {
  const answer = await mutate(...args)
  expect(answer.errors).toBeUndefined()
  return answer.data[args[2]]
}

/** Runs a mutation that must be refused. Returns the error code and the fields that the error names. */
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
