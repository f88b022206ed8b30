import type { Resolvers } from '../generated/resolver-types.ts'
import { avatarURL, fileURL, uploadURL } from './links.ts'
import { createFile } from './tickets/create-file.ts'
import { verifyFiles } from './verify-files.ts'

export const fileOperatorResolvers: Resolvers = {
  Query: {
    verifyFiles: (_root, { after }, ctx) => verifyFiles(ctx, after),
  },
}

export const fileResolvers: Resolvers = {
  Mutation: {
    createFile: (_root, { input }, ctx) => createFile(ctx, input),
  },
  File: {
    size: (file) => Number(file.sizeBytes),
    contentMD5: (file) => Buffer.from(file.md5).toString('base64'),
    url: (file, _args, ctx) => fileURL(ctx, file),
  },
  User: {
    avatarURL: (user, _args, ctx) => avatarURL(ctx, user),
  },
  UploadTicket: {
    url: (ticket, _args, ctx) => uploadURL(ctx, ticket),
    headers: (ticket) => [{ name: 'Content-MD5', value: Buffer.from(ticket.md5).toString('base64') }],
    formData: () => [],
  },
}
