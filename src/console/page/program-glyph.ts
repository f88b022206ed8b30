import { paths } from './icon-paths.ts'

/** From Tabler Icons 3.52 (icon.LICENSE), with the words in a name that they stand for. */
const glyphs: readonly [RegExp, string][] = [
  [
    /github/,
    'M9 19c-4.3 1.4-4.3-2.5-6-3m12 5v-3.5c0-1 .1-1.4-.5-2c2.8-.3 5.5-1.4 5.5-6a4.6 4.6 0 0 0-1.3-3.2a4.2 4.2 0 0 0-.1-3.2s-1.1-.3-3.5 1.3a12.3 12.3 0 0 0-6.2 0c-2.4-1.6-3.5-1.3-3.5-1.3a4.2 4.2 0 0 0-.1 3.2a4.6 4.6 0 0 0-1.3 3.2c0 4.6 2.7 5.7 5.5 6c-.6.6-.6 1.2-.5 2v3.5',
  ],
  [/gitlab/, 'M21 14l-9 7l-9-7l3-11l3 7h6l3-7l3 11'],
  [
    /sentry/,
    'M3 18a1.9 1.9 0 0 0 .3 1.1a2 2 0 0 0 1.6.9h3.1a5 5 0 0 0-3.7-4.8l2-3.5a9 9 0 0 1 5.7 8.3h7a2 2 0 0 0 1.8-2.7l-7.1-12.3a2 2 0 0 0-3.5 0l-1.8 3.2c4.5 2 7.6 6.6 7.6 11.8',
  ],
  [
    /\b(alert|incident|pager|on.?call)/,
    'M12 10.9c2.3-3.3.2-7.8-1-8.9c0 3.4-2.2 5.3-3.7 6.7c-1.4 1.4-2.3 3.3-2.3 5.6c0 3.7 3.1 6.7 7 6.7c3.9 0 7-3 7-6.7c0-1.7-1.2-4.4-2.3-5.6c-2.1 3.4-3.3 3.4-4.7 2.2',
  ],
  [
    /\b(deploy|release|rollout)/,
    'M4 13a8 8 0 0 1 7 7a6 6 0 0 0 3-5a9 9 0 0 0 6-8a3 3 0 0 0-3-3a9 9 0 0 0-8 6a6 6 0 0 0-5 3M7 14a6 6 0 0 0-3 6a6 6 0 0 0 6-3M14 9a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
  ],
  [
    /\b(builds?|ci|jenkins|pipelines?)\b|circleci/,
    'M11.4 10l-7.4 7.4a2.1 2.1 0 0 0 0 3a2.1 2.1 0 0 0 3 0l7.4-7.4M18.1 15.3l2.6-2.6a1 1 0 0 0 0-1.4l-7.6-7.6a1 1 0 0 0-1.4 0l-2.6 2.6a1 1 0 0 0 0 1.4l7.6 7.6a1 1 0 0 0 1.4 0',
  ],
  [
    /\b(backup|database|postgres)|db\b/,
    'M4 6a8 3 0 1 0 16 0a8 3 0 1 0-16 0M4 6v6a8 3 0 0 0 16 0v-6M4 12v6a8 3 0 0 0 16 0v-6',
  ],
  [/\b(grafana|metrics?|monitor|prometheus)/, 'M4 19h16M4 15l4-6l4 2l4-5l4 4'],
]
const app =
  'M4 5a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4M4 15a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4M14 15a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4M14 7h6M17 4v6'

/** Returns the path of the icon for a program without a picture. Its name often says what it does. */
export function glyphOf({ name, kind }: { name: string; kind: string }): string {
  const text = name.toLowerCase().replaceAll('_', ' ')
  const found = glyphs.find(([words]) => words.test(text))
  return found?.[1] ?? (kind === 'webhook' ? paths.webhook : app)
}
