export class MissingWorkspaceError extends Error {
  constructor() {
    super('This workspace does not exist, or you are not in it.')
  }
}
