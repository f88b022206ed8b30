/**
 * A document with the types of its result and its variables, as `graphql-codegen` generates it. It has the
 * shape of `DocumentTypeDecoration` in @graphql-typed-document-node/core, so that the client does not depend
 * on that package.
 */
export interface DocumentTypeDecoration<Result, Variables> {
  __apiType?: (variables: Variables) => Result
}
