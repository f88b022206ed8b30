import { readdirSync } from 'node:fs'
import { join, parse } from 'node:path'

// The folder with README.md and docs. The path is the same from src/http/docs and from dist/http/docs.
const root = join(import.meta.dirname, '../../..')

export type DocumentPage = { title: string; path: string; file: string }

/** The menu, by section. It has pages and plain files. */
export const menu: { readonly [section: string]: readonly DocumentPage[] } = {
  Start: [
    { title: 'First steps', path: '/docs', file: 'README.md' },
    { title: 'Web app', path: '/docs/web-app', file: 'docs/web-app.md' },
    { title: 'Screenshots', path: '/docs/screenshots', file: 'docs/screenshots.md' },
    { title: 'People', path: '/docs/people', file: 'docs/people.md' },
    { title: 'Glossary', path: '/docs/glossary', file: 'docs/glossary.md' },
  ],
  Programs: [
    { title: 'Webhooks', path: '/docs/webhooks', file: 'docs/webhooks.md' },
    { title: 'Buttons', path: '/docs/buttons', file: 'docs/buttons.md' },
    { title: 'Apps', path: '/docs/apps', file: 'docs/apps.md' },
    { title: 'Tokens', path: '/docs/tokens', file: 'docs/tokens.md' },
    { title: 'GraphQL', path: '/docs/graphql', file: 'docs/graphql.md' },
    { title: 'Events', path: '/docs/events', file: 'docs/events.md' },
    { title: 'Outbound webhooks', path: '/docs/outbound-webhooks', file: 'docs/outbound-webhooks.md' },
    { title: 'Files', path: '/docs/files', file: 'docs/files.md' },
    { title: 'SDK', path: '/docs/sdk', file: 'docs/sdk.md' },
    { title: 'Errors', path: '/docs/errors', file: 'docs/errors.md' },
    { title: 'Limits', path: '/docs/limits', file: 'docs/limits.md' },
    { title: 'GraphQL schema', path: '/docs/schema.graphql', file: 'docs/schema.graphql' },
  ],
  'Run it': [
    { title: 'Operations', path: '/docs/operations', file: 'docs/operations.md' },
    { title: 'Security', path: '/docs/security', file: 'docs/security.md' },
    { title: 'Metrics', path: '/docs/metrics', file: 'docs/metrics.md' },
    { title: 'Performance', path: '/docs/performance', file: 'docs/performance.md' },
    { title: 'Changes', path: '/docs/changes', file: 'docs/changes.md' },
    { title: 'Settings', path: '/docs/env.example', file: '.env.example' },
    { title: 'Operator schema', path: '/docs/operator-schema.graphql', file: 'docs/operator-schema.graphql' },
  ],
  'Change it': [
    { title: 'Architecture', path: '/docs/architecture', file: 'docs/architecture.md' },
    { title: 'Decisions', path: '/docs/decisions', file: 'docs/decisions/README.md' },
  ],
}

const inMenu = Object.values(menu).flat()
const isMarkdown = ({ file }: DocumentPage) => file.endsWith('.md')

export const pages: readonly DocumentPage[] = inMenu.filter(isMarkdown)

/** Files of the menu that are served as plain text. */
export const plainFiles: readonly DocumentPage[] = inMenu.filter((page) => !isMarkdown(page))

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

/** Files that only the pages about operations and metrics link to. They are served as plain text. */
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
