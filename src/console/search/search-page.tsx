import { Anchor, Button, Code, Group, List, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigationType, useParams, useSearchParams } from 'react-router'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { Page } from '../page/page.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { activeFilters } from './search-filter.ts'
import { FoldedFilters, SearchFilters } from './search-filters.tsx'
import { SearchResults } from './search-results.tsx'

/** Searches messages. The words and the filters are in the URL. */
export default function SearchPage() {
  const [params, setParams] = useSearchParams()
  const query = params.get('q') ?? ''
  const [words, setWords] = useState(query)
  const submitted = useRef(query)
  const isReturn = useNavigationType() === 'POP'
  useEffect(() => {
    // The person may be typing the next words while the results of these are loading.
    if (query === submitted.current && !isReturn) return
    submitted.current = query
    setWords(query)
  }, [query, isReturn])
  const change = (name: string, value: string | null, { replace } = { replace: true }) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace },
    )
  return (
    <Page title={query ? `Search: ${query}` : 'Search'}>
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            submitted.current = words.trim()
            // The history of the browser has each search, but not the field before the first one.
            change('q', words.trim(), { replace: query === '' || words.trim() === query })
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
      <OtherPlaces />
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

/** Says where to find what the search does not find. */
function OtherPlaces() {
  const { workspaceID } = useParams()
  const linkTo = (path: string, label: string) => (
    <Anchor component={Link} to={`/${workspaceID}/${path}`} size="sm" underline="always">
      {label}
    </Anchor>
  )
  return (
    <Text size="sm" c="dimmed">
      The search finds messages. Groups are in {linkTo('groups', 'Groups')}, and people are in{' '}
      {linkTo('settings/people', 'Settings → People')}.
    </Text>
  )
}

function SearchHelp() {
  return (
    <>
      <Text pt="md">
        Results contain all the words that you enter. The last one can be the beginning of a word. You can
        also use:
      </Text>
      <List>
        <List.Item>
          <Code>"a phrase"</Code> for exactly these words in this order
        </List.Item>
        <List.Item>
          <Code>-"a phrase"</Code> to leave out messages with these words
        </List.Item>
        <List.Item>
          <Code>one OR other</Code> for messages with one of two words
        </List.Item>
        <List.Item>
          <Code>begin*</Code> for all words that start with these letters
        </List.Item>
      </List>
    </>
  )
}
