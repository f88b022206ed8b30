import { eraseAuditNames } from '../../audit/erase-names.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'
import { listAllAuditEntries, listAuditEntries } from './list-audit-entries.ts'

export const auditOperatorResolvers: Resolvers = {
  Query: {
    auditEntries: (_root, args, ctx) => listAllAuditEntries(ctx, args),
  },
  Mutation: {
    eraseAuditNames: async (_root, { input }, ctx) => ({ entryCount: await eraseAuditNames(ctx, input) }),
  },
}

export const auditResolvers: Resolvers = {
  Workspace: {
    auditEntries: (workspace, args, ctx) => listAuditEntries(ctx, workspace.id, args),
  },
  AuditEntry: {
    workspaceID: ({ workspaceID }) => workspaceID || null,
    actor: (entry) => entry,
    object: ({ objectID: id, objectName: name }) => (id === null && name === null ? null : { id, name }),
    details: ({ details }) => JSON.stringify(details),
  },
  AuditActor: {
    kind: ({ actorKind }) => actorKind,
    id: ({ actorID }) => actorID,
    name: ({ actorName, userName }) => actorName ?? userName,
  },
}
