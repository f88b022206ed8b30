import type { Readable } from 'node:stream'
import { z } from 'zod'
import { cachedPerLimits } from '../config.ts'
import { type Context, requireScope } from '../context.ts'
import type { File } from '../generated/prisma/client.ts'
import { parseInput } from '../input.ts'
import { fileFields, readDigest, requireSize } from './fields.ts'
import { storeFile } from './store-file.ts'

const inputFor = cachedPerLimits((limits) =>
  z.object({
    ...fileFields(limits),
    sizeBytes: z.number(),
    open: z.custom<() => Readable>(),
  }),
)

export async function uploadFile(ctx: Context, input: z.input<ReturnType<typeof inputFor>>): Promise<File> {
  requireScope(ctx, 'threads.messages:write')
  const { name, contentMD5, sizeBytes, open } = parseInput(inputFor(ctx.config.limits), input)
  requireSize(sizeBytes, ctx.config.limits)
  const md5 = readDigest(contentMD5)
  return storeFile(
    ctx,
    { workspaceID: ctx.actor.workspaceID, uploaderID: ctx.actor.userID, name, sizeBytes, md5 },
    open,
  )
}
