import { expect, test } from 'vitest'
import { hintFor, prefixSearch } from '../../src/console/search/no-results-hint.ts'
import { activeFilters } from '../../src/console/search/search-filter.ts'

const params = (text: string) => new URLSearchParams(text)

test('a search without results has a hint that fits its words and filters', () => {
  expect(hintFor(params('q=deploy&group=grp_1'))).toBe('Remove a filter.')
  expect(hintFor(params('q=deploy*'))).toBe('Try another word.')
  expect(hintFor(params('q=deploy failed&group=grp_1'))).toBe('Use fewer words. Remove a filter.')
  expect(hintFor(params('q=-deploy'))).toBe('Add a word that the messages contain.')
  expect(hintFor(params('q=-deploy -failed'))).toBe('Add a word that the messages contain.')
})

test('a search for one word offers a search for words that start with it', () => {
  expect(prefixSearch(params('q=deploy&group=grp_1'))?.toString()).toBe('q=deploy*&group=grp_1')
  expect(prefixSearch(params('q=deploy*'))).toBeNull()
  expect(prefixSearch(params('q=deploy failed'))).toBeNull()
})

test('the order of a search is not a filter', () => {
  expect(activeFilters(params('q=deploy&order=best'))).toBe(0)
  expect(activeFilters(params('attachments=with'))).toBe(1)
})
