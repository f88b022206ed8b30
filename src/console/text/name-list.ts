import { isolated } from './isolated.ts'

/** Lists names in a sentence. `moreCount` is the number of names that are left out, or null if it is not known. */
export function nameList(names: readonly string[], moreCount: number | null = 0): string {
  const listed = names.map(isolated).join(', ')
  if (moreCount === 0) return listed
  return `${listed} and ${moreCount === null ? 'more' : `${moreCount} more`}`
}
