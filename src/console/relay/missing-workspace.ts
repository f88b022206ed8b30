/** The service answered that the workspace does not exist, or that the person is not in it. */
export class MissingWorkspaceError extends Error {
  constructor() {
    super('This workspace does not exist, or you are not in it.')
  }
}
