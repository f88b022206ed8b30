import { z } from 'zod'
import { groupID } from '../../groups/general-group-id.ts'
import { id, time } from '../../input.ts'

export const searchInput = z.object({
  query: z.string('must be a string'),
  order: z.enum(['newest', 'best']).nullish(),
  filter: z
    .object({
      threadID: id.nullish(),
      groupID: groupID.nullish(),
      authorID: id.nullish(),
      createdAfter: time.nullish(),
      createdBefore: time.nullish(),
      hasAttachment: z.boolean().nullish(),
    })
    .nullish(),
})

export type SearchInput = z.input<typeof searchInput>
export type SearchFilter = NonNullable<z.output<typeof searchInput>['filter']>
