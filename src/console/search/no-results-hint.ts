import { activeFilters } from './search-filter.ts'

const excluded = /-["“”„«»][^"“”„«»]*["“”„«»]?/g

export function hintFor(params: URLSearchParams): string {
  const query = params.get('q')?.trim() ?? ''
  const hints = []
  if (!/[\p{L}\p{N}]/u.test(query.replace(excluded, ''))) hints.push('Add a word that the messages contain.')
  else hints.push(/\s/.test(query) ? 'Use fewer words.' : 'Try another word.')
  if (activeFilters(params) > 0) hints.push('Remove a filter.')
  return hints.join(' ')
}
