import { expect, test } from 'vitest'
import { hintFor } from '../../src/console/search/no-results-hint.ts'
import { activeFilters, searchOf } from '../../src/console/search/search-filter.ts'

const params = (text: string) => new URLSearchParams(text)

test('a search without results has a hint that fits its words and filters', () => {
  expect(hintFor(params('q=deploy&group=grp_1'))).toBe('Try another word. Remove a filter.')
  expect(hintFor(params('q=deploy*'))).toBe('Try another word.')
  expect(hintFor(params('q=deploy failed&group=grp_1'))).toBe('Use fewer words. Remove a filter.')
  expect(hintFor(params('q=-"deploy"'))).toBe('Add a word that the messages contain.')
  expect(hintFor(params('q=-"deploy" -“has failed”'))).toBe('Add a word that the messages contain.')
  expect(hintFor(params('q=-deploy'))).toBe('Try another word.')
})

test('the last word of a search can be the beginning of a word', () => {
  expect(searchOf(params('q=disk dep')).query).toBe('disk dep*')
})

test('the order of a search is not a filter', () => {
  expect(activeFilters(params('q=deploy&order=best'))).toBe(0)
  expect(activeFilters(params('attachments=with'))).toBe(1)
})
