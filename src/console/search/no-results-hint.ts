import { activeFilters } from './search-filter.ts'

export function hintFor(params: URLSearchParams): string {
  const query = params.get('q')?.trim() ?? ''
  const hints = []
  if (query.split(/\s+/).every((word) => word.startsWith('-')))
    hints.push('Add a word that the messages contain.')
  else if (/\s/.test(query)) hints.push('Use fewer words.')
  else if (prefixSearch(params) === null) hints.push('Try another word.')
  if (activeFilters(params) > 0) hints.push('Remove a filter.')
  return hints.join(' ')
}

/** Returns a search for all words that start with the query, or null if the query is not a single word. */
export function prefixSearch(params: URLSearchParams): URLSearchParams | null {
  const query = params.get('q')?.trim() ?? ''
  if (!/^[\p{L}\p{N}]+$/u.test(query)) return null
  const search = new URLSearchParams(params)
  search.set('q', `${query}*`)
  return search
}
