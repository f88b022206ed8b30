import { Button, Group, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { Page } from '../page/page.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { FoldedFilters } from './folded-filters.tsx'
import { activeFilters } from './search-filter.ts'
import { SearchFilters } from './search-filters.tsx'
import { SearchHelp } from './search-help.tsx'
import { SearchResults } from './search-results.tsx'

/** Searches messages. The words and the filters are in the URL. */
export default function SearchPage() {
  const [params, setParams] = useSearchParams()
  const query = params.get('q') ?? ''
  const [words, setWords] = useState(query)
  useEffect(() => setWords(query), [query])
  const change = (name: string, value: string | null) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  return (
    <Page title={query ? `Search: ${query}` : 'Search'}>
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            change('q', words.trim())
          }}
        >
          <Group align="end" pb="sm">
            <TextInput
              flex={1}
              type="search"
              label="Search messages"
              autoFocus
              value={words}
              onChange={(event) => setWords(event.currentTarget.value)}
            />
            <Button type="submit">Search</Button>
          </Group>
          <FoldedFilters active={activeFilters(params)}>
            <SearchFilters params={params} onChange={change} />
          </FoldedFilters>
        </form>
      </search>
      {query ? (
        <ProblemBoundary key={params.toString()}>
          <LoadingBoundary>
            <SearchResults params={params} />
          </LoadingBoundary>
        </ProblemBoundary>
      ) : (
        <>
          {activeFilters(params) > 0 && (
            <Text pt="md" role="status">
              Enter a word to search for. Filters narrow the results of a search.
            </Text>
          )}
          <SearchHelp />
        </>
      )}
    </Page>
  )
}
