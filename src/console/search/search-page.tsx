import { Button, Group, TextInput } from '@mantine/core'
import { Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Loading } from '../page/loading.tsx'
import { Page } from '../page/page.tsx'
import { ProblemBoundary } from '../page/problem-boundary.tsx'
import { SearchFilters } from './search-filters.tsx'
import { SearchHelp } from './search-help.tsx'
import { SearchResults } from './search-results.tsx'

/** Searches messages. The address keeps the words and the filters. */
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
              label="Words"
              autoFocus
              value={words}
              onChange={(event) => setWords(event.currentTarget.value)}
            />
            <Button type="submit">Search</Button>
          </Group>
          <Suspense>
            <SearchFilters params={params} onChange={change} />
          </Suspense>
        </form>
      </search>
      {query ? (
        <ProblemBoundary key={params.toString()}>
          <Suspense fallback={<Loading />}>
            <SearchResults params={params} />
          </Suspense>
        </ProblemBoundary>
      ) : (
        <SearchHelp />
      )}
    </Page>
  )
}
