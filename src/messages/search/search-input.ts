import { z } from 'zod'
import { groupID } from '../../groups/general-group-id.ts'
import { id } from '../../input.ts'

// What PostgreSQL can hold goes further than what a cursor or anyone's clock does.
const time = z.coerce.date('must be a time').transform((date) => {
  const [first, last] = [Date.UTC(1000, 0), Date.UTC(9999, 0)]
  return new Date(Math.min(Math.max(date.getTime(), first), last))
})

/** A search as it is asked for. Every text is a query. */
export const searchInput = z.object({
  query: z.string('must be a text'),
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
