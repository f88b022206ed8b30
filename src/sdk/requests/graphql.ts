import type { DocumentNode } from 'graphql'
import { print } from 'graphql/language/printer.js'
import { type FieldError, SkeinError } from '../errors.ts'
import { failureIn, type HTTPResponse } from './http.ts'

/** A document with the types of its result and variables, from this package or from `graphql-codegen`. */
export type TypedDocument<Result, Variables> = DocumentTypeDecoration<Result, Variables>

/** The type of @graphql-typed-document-node/core. It is copied here, because the client has no dependencies. */
export interface DocumentTypeDecoration<Result, Variables> {
  __apiType?: (variables: Variables) => Result
}

export const mediaType = 'application/graphql-response+json'

/** Returns the source of a document, which is a string or a syntax tree of any version of graphql-js. */
export function sourceOf(document: string | TypedDocument<unknown, never>): string {
  if (typeof document === 'string' || document instanceof String) return document.toString()
  return print(document as DocumentNode)
}

/** Returns whether a document cannot change anything: the word `mutation` occurs nowhere in its source. */
export function isQuery(source: string): boolean {
  return !/\bmutation\b/.test(source)
}

export function graphqlRequest(token: string, body: string, accept = mediaType): RequestInit {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept }
  return { method: 'POST', headers, body }
}

/** Returns the data of a response. Throws SkeinError for any error, even if the response also has data. */
export function dataOf<Result>(response: HTTPResponse): Result {
  const { data, errors = [] } = { ...(response.body as GraphQLBody<Result>) }
  if (response.ok && data && errors.length === 0) return data
  throw failureOf(response)
}

export function failureOf(response: HTTPResponse): SkeinError {
  const { errors = [] } = { ...(response.body as GraphQLBody<unknown>) }
  return failureIn(response, {
    ...errors[0]?.extensions,
    message: [...new Set(errors.map((error) => error.message))].join(' '),
    errors: errors.flatMap((error) => error.extensions?.errors ?? []),
  })
}

export type GraphQLBody<Result> = { data?: Result; errors?: GraphQLError[] }

export type GraphQLError = {
  message: string
  extensions?: { code?: string; reason?: string; requestID?: string; errors?: FieldError[] }
}

export type Page<Node extends object, Edge> = {
  edges: (Edge & { node: Node })[]
  pageInfo: { hasNextPage: boolean; endCursor?: string | null }
}

const pageSize = 100

/** Yields the nodes of a list with the fields of their edges. A later call can continue after a node's `cursor`. */
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

export function withEdge<Node extends object, Edge>({
  node,
  ...edge
}: Edge & { node: Node }): Node & Omit<Edge, 'node'> {
  return { ...node, ...edge }
}

/** Throws if the value is null. The service sends null only together with an error, for which `dataOf` throws. */
export function required<T>(value: T): NonNullable<T> {
  if (value == null) throw new SkeinError('UNEXPECTED_ANSWER', 'The response lacks a required field.')
  return value
}
