import type { DocumentNode } from 'graphql'
import { print } from 'graphql/language/printer.js'
import { type FieldError, SkeinError } from './errors.ts'
import { type Answer, failureIn } from './http.ts'
import type { DocumentTypeDecoration } from './typed-document.ts'

/** A document that knows the types of its result and variables: of ours, or made by `graphql-codegen` from the schema. */
export type TypedDocument<Result, Variables> = DocumentTypeDecoration<Result, Variables>

/** Returns the source of a document, which is a string or a syntax tree of any version of graphql-js. */
export function sourceOf(document: string | TypedDocument<unknown, never>): string {
  if (typeof document === 'string' || document instanceof String) return document.toString()
  return print(document as DocumentNode)
}

/** Whether a document can change nothing: none of its operations is a mutation, nor is the word anywhere in it. */
export function isQuery(source: string): boolean {
  return !/\bmutation\b/.test(source)
}

/** The data of an answer. Throws SkeinError for any error, also beside data. */
export function dataOf<Result>(answer: Answer): Result {
  const { data, errors = [] } = { ...(answer.body as GraphQLBody<Result>) }
  if (answer.ok && data && errors.length === 0) return data
  throw failureIn(answer, {
    ...errors[0]?.extensions,
    message: [...new Set(errors.map((error) => error.message))].join(' '),
    errors: errors.flatMap((error) => error.extensions?.errors ?? []),
  })
}

type GraphQLBody<Result> = {
  data?: Result
  errors?: {
    message: string
    extensions?: { code?: string; reason?: string; requestID?: string; errors?: FieldError[] }
  }[]
}

type Page<Node extends object, Edge> = {
  edges: (Edge & { node: Node })[]
  pageInfo: { hasNextPage: boolean; endCursor?: string | null }
}

const pageSize = 100

/** The nodes of a list, page after page, each with what its edge has: the `cursor`, after which a later reading goes on. */
export async function* nodesOf<Node extends object, Edge extends { cursor: string }>(
  after: string | null | undefined,
  load: (page: { first: number; after: string | null | undefined }) => Promise<Page<Node, Edge>>,
): AsyncGenerator<Node & Omit<Edge, 'node'>, void, undefined> {
  let page: Page<Node, Edge>
  do {
    page = await load({ first: pageSize, after })
    for (const edge of page.edges) yield withEdge(edge)
    after = page.pageInfo.endCursor
  } while (page.pageInfo.hasNextPage)
}

/** A node with what its edge has. */
export function withEdge<Node extends object, Edge>({
  node,
  ...edge
}: Edge & { node: Node }): Node & Omit<Edge, 'node'> {
  return { ...node, ...edge }
}

/** What is null only together with an error, which has been thrown. */
export function given<T>(value: T | null | undefined): T {
  if (value == null) throw new SkeinError('UNEXPECTED_ANSWER', 'Something is missing in the answer.')
  return value
}
