import { readdirSync } from 'node:fs'
import { join, parse } from 'node:path'

// The folder with README.md and docs. The path is the same from src/http/docs and from dist/http/docs.
const root = join(import.meta.dirname, '../../..')

export type DocumentPage = { title: string; path: string; file: string }

export const pages: readonly DocumentPage[] = [
  { title: 'Start', path: '/docs', file: 'README.md' },
  { title: 'Webhooks', path: '/docs/webhooks', file: 'docs/webhooks.md' },
  { title: 'Tokens', path: '/docs/tokens', file: 'docs/tokens.md' },
  { title: 'Apps', path: '/docs/apps', file: 'docs/apps.md' },
  { title: 'GraphQL', path: '/docs/graphql', file: 'docs/graphql.md' },
  { title: 'Events', path: '/docs/events', file: 'docs/events.md' },
  { title: 'Outbound webhooks', path: '/docs/outbound-webhooks', file: 'docs/outbound-webhooks.md' },
  { title: 'Web app', path: '/docs/web-app', file: 'docs/web-app.md' },
  { title: 'Screenshots', path: '/docs/screenshots', file: 'docs/screenshots.md' },
  { title: 'People', path: '/docs/people', file: 'docs/people.md' },
  { title: 'Files', path: '/docs/files', file: 'docs/files.md' },
  { title: 'Errors', path: '/docs/errors', file: 'docs/errors.md' },
  { title: 'Limits', path: '/docs/limits', file: 'docs/limits.md' },
  { title: 'SDK', path: '/docs/sdk', file: 'docs/sdk.md' },
  { title: 'Operations', path: '/docs/operations', file: 'docs/operations.md' },
  { title: 'Changes', path: '/docs/changes', file: 'docs/changes.md' },
  { title: 'Glossary', path: '/docs/glossary', file: 'docs/glossary.md' },
  { title: 'Architecture', path: '/docs/architecture', file: 'docs/architecture.md' },
  { title: 'Decisions', path: '/docs/decisions', file: 'docs/decisions/README.md' },
  { title: 'Performance', path: '/docs/performance', file: 'docs/performance.md' },
]

export const decisions: readonly DocumentPage[] = readdirSync(join(root, 'docs/decisions'))
  .filter((file) => /^\d+-.*\.md$/.test(file))
  .map((file) => ({
    title: 'Decisions',
    path: `/docs/decisions/${parse(file).name}`,
    file: `docs/decisions/${file}`,
  }))

/** The pages about the formats of other systems. */
export const formatPages: readonly DocumentPage[] = readdirSync(join(root, 'docs/webhooks')).map((file) => ({
  title: 'Webhooks',
  path: `/docs/webhooks/${parse(file).name}`,
  file: `docs/webhooks/${file}`,
}))

/** Files that the menu and the documents link to. They are served as plain text. */
export const plainFiles: readonly DocumentPage[] = [
  { title: 'GraphQL schema', path: '/docs/schema.graphql', file: 'docs/schema.graphql' },
  {
    title: 'Operator schema',
    path: '/docs/operator-schema.graphql',
    file: 'docs/operator-schema.graphql',
  },
  { title: 'Settings', path: '/docs/env.example', file: '.env.example' },
]

/** Files that only the page about operations links to. They are served as plain text. */
export const deployFiles: readonly DocumentPage[] = readdirSync(join(root, 'docs/deploy')).map((file) => ({
  title: file,
  path: `/docs/deploy/${file}`,
  file: `docs/deploy/${file}`,
}))

export const screenshots: readonly DocumentPage[] = readdirSync(join(root, 'docs/screenshots')).map(
  (file) => ({ title: file, path: `/docs/screenshots/${file}`, file: `docs/screenshots/${file}` }),
)

export function fileOf({ file }: DocumentPage): string {
  return join(root, file)
}

export function urlPathOf(file: string): string | undefined {
  const withIndex = [file, join(file, 'README.md')]
  return [...pages, ...decisions, ...formatPages, ...plainFiles, ...deployFiles, ...screenshots].find(
    (page) => withIndex.includes(page.file),
  )?.path
}
