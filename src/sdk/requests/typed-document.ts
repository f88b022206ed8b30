/** The type of @graphql-typed-document-node/core. It is copied here, because the client has no dependencies. */
export interface DocumentTypeDecoration<Result, Variables> {
  __apiType?: (variables: Variables) => Result
}
