import { type HTML, html } from './html.ts'

/** From Tabler Icons 3.52 (src/console/page/icon.LICENSE). */
const paths = {
  apps: 'M4 5a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4M4 15a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4M14 15a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4M14 7h6M17 4v6',
  check: 'M5 12l5 5l10-10',
  chevronRight: 'M9 6l6 6l-6 6',
  copy: 'M7 9.7a2.7 2.7 0 0 1 2.7-2.7h8.6a2.7 2.7 0 0 1 2.7 2.7v8.6a2.7 2.7 0 0 1-2.7 2.7h-8.6a2.7 2.7 0 0 1-2.7-2.7v-8.6M4 16.7a2 2 0 0 1-1-1.7v-10c0-1.1.9-2 2-2h10c.8 0 1.2.4 1.5 1',
  eye: 'M10 12a2 2 0 1 0 4 0a2 2 0 0 0-4 0M21 12c-2.4 4-5.4 6-9 6c-3.6 0-6.6-2-9-6c2.4-4 5.4-6 9-6c3.6 0 6.6 2 9 6',
  info: 'M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M12 9h.01M11 12h1v4h1',
  link: 'M9 15l6-6M11 6l.5-.5a5 5 0 0 1 7 7l-.5.5M13 18l-.4.5a5.1 5.1 0 0 1-7.1 0a5 5 0 0 1 0-7l.5-.5',
  lock: 'M5 13a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2v-6M11 16a1 1 0 1 0 2 0a1 1 0 0 0-2 0M8 11v-4a4 4 0 1 1 8 0v4',
  menu: 'M4 6h16M4 12h16M4 18h16',
  pencil: 'M4 20h4l10.5-10.5a2.8 2.8 0 1 0-4-4l-10.5 10.5v4M13.5 6.5l4 4',
  triangle:
    'M12 9v4M10.4 3.6l-8.1 13.5a1.9 1.9 0 0 0 1.6 2.9h16.2a1.9 1.9 0 0 0 1.6-2.9l-8.1-13.5a1.9 1.9 0 0 0-3.2 0M12 16h.01',
  user: 'M8 7a4 4 0 1 0 8 0a4 4 0 0 0-8 0M6 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2',
  users:
    'M5 7a4 4 0 1 0 8 0a4 4 0 1 0-8 0M3 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2M16 3.1a4 4 0 0 1 0 7.8M21 21v-2a4 4 0 0 0-3-3.9',
  webhook:
    'M4.9 13.6a4 4 0 1 0 6.1 3.4h6M15.1 20.5a4 4 0 1 0 1.9-7.5c-.7 0-1.4.2-2 .5l-3-5.5M16 8a4 4 0 1 0-8 0c0 1.5.8 2.8 2 3.5l-3 5.5',
}

export type IconName = keyof typeof paths

/** An icon of 16 px that screen readers ignore. The text beside it has the meaning. */
export function icon(name: IconName): HTML {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${paths[name]}"/></svg>`
}
