/**
 * A document that knows the types of its result and its variables, as `graphql-codegen` makes them. It has the shape of
 * `DocumentTypeDecoration` in @graphql-typed-document-node/core, so that the client needs no package.
 */
export interface DocumentTypeDecoration<Result, Variables> {
  __apiType?: (variables: Variables) => Result
}
