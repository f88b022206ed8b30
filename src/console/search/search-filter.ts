import type {
  MessageSearchFilter,
  MessageSearchOrder,
} from '../../generated/console/searchResultsQuery.graphql.ts'

type Search = { query: string; filter: MessageSearchFilter; order: MessageSearchOrder }

const filters = ['group', 'author', 'attachments', 'from', 'to']

/** Counts the filters in the parameters of a URL. The order is not a filter. */
export function activeFilters(params: URLSearchParams): number {
  return filters.filter((name) => params.get(name)).length
}

/** Reads a search from a URL. The results include the days `from` and `to`, in the time zone of the browser. */
export function searchOf(params: URLSearchParams): Search {
  const attachments = params.get('attachments')
  return {
    // The last word can be the beginning of a word. After a quotation mark, the service ignores the `*`.
    query: `${params.get('q') ?? ''}*`,
    order: params.get('order') === 'best' ? 'best' : 'newest',
    filter: {
      groupID: params.get('group'),
      authorID: params.get('author'),
      hasAttachment: attachments && attachments === 'with',
      createdAfter: startOf(params.get('from'), 0),
      createdBefore: startOf(params.get('to'), 1),
    } as MessageSearchFilter,
  }
}

function startOf(day: string | null, daysLater: number): string | null {
  const start = new Date(`${day}T00:00`)
  if (!day || Number.isNaN(start.getTime())) return null
  start.setDate(start.getDate() + daysLater)
  return start.toISOString()
}
