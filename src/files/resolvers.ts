import type { Resolvers } from '../generated/resolver-types.ts'

export const fileResolvers: Resolvers = {
  File: {
    size: (file) => Number(file.sizeBytes),
    contentMD5: (file) => Buffer.from(file.md5).toString('base64'),
  },
}
