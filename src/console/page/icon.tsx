/** From Tabler Icons 3.52 (icon.LICENSE), except `groups`, which is our own. */
const paths = {
  arrowUp: 'M12 5v14M18 11l-6-6M6 11l6-6',
  back: 'M15 6l-6 6l6 6',
  bell: 'M10 5a2 2 0 1 1 4 0a7 7 0 0 1 4 6v3a4 4 0 0 0 2 3h-16a4 4 0 0 0 2-3v-3a7 7 0 0 1 4-6M9 17v1a3 3 0 0 0 6 0v-1',
  bellOff:
    'M9.3 5.4c.2-.2.4-.3.7-.4a2 2 0 1 1 4 0a7 7 0 0 1 4 6v3m-1 3h-13a4 4 0 0 0 2-3v-3a7 7 0 0 1 1.3-3.7M9 17v1a3 3 0 0 0 6 0v-1M3 3l18 18',
  check: 'M5 12l5 5l10-10',
  checks: 'M7 12l5 5l10-10M2 12l5 5m5-5l5-5',
  chevronDown: 'M6 9l6 6l6-6',
  cloudOff:
    'M9.6 5.5c.2-.1.5-.2.8-.2c1.8-.6 3.9-.2 5.4 1c1.5 1.1 2.2 3 1.8 4.7h.9c2 0 3.5 1.6 3.5 3.5c0 1-.4 1.8-1 2.5m-3 1h-11.3c-2.6 0-4.7-2-4.7-4.5c0-2.5 2.1-4.5 4.7-4.5c.1-.6.4-1.1.7-1.6M3 3l18 18',
  code: 'M7 8l-4 4l4 4M17 8l4 4l-4 4M14 4l-4 16',
  column: 'M4 6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-12a2 2 0 0 1-2-2zM15 4v16',
  copy: 'M7 9.7a2.7 2.7 0 0 1 2.7-2.7h8.6a2.7 2.7 0 0 1 2.7 2.7v8.6a2.7 2.7 0 0 1-2.7 2.7h-8.6a2.7 2.7 0 0 1-2.7-2.7v-8.6M4 16.7a2 2 0 0 1-1-1.7v-10c0-1.1.9-2 2-2h10c.8 0 1.2.4 1.5 1',
  dms: 'M8 9h8M8 13h6M18 4a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-5l-5 3v-3h-2a3 3 0 0 1-3-3v-8a3 3 0 0 1 3-3h12',
  edit: 'M7 7h-1a2 2 0 0 0-2 2v9a2 2 0 0 0 2 2h9a2 2 0 0 0 2-2v-1M20.4 6.6a2.1 2.1 0 0 0-3-3l-8.4 8.4v3h3l8.4-8.4M16 5l3 3',
  emoji: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9 10h.01M15 10h.01M9.5 15a3.5 3.5 0 0 0 5 0',
  groups: 'M3 6.5c5 0 5 3.5 9 3.5s4-3.5 9-3.5M3 12h18M3 17.5c5 0 5-3.5 9-3.5s4 3.5 9 3.5M12 8.5v7',
  inbox: 'M4 6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-12a2 2 0 0 1-2-2v-12M4 13h3l3 3h4l3-3h3',
  lock: 'M5 13a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2v-6M11 16a1 1 0 1 0 2 0a1 1 0 0 0-2 0M8 11v-4a4 4 0 1 1 8 0v4',
  mentions: 'M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M16 12v1.5a2.5 2.5 0 0 0 5 0v-1.5a9 9 0 1 0-5.5 8.3',
  more: 'M4 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M18 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
  newThread:
    'M8 9h8M8 13h6M12 18.6l-4 2.4v-3h-2a3 3 0 0 1-3-3v-8a3 3 0 0 1 3-3h12a3 3 0 0 1 3 3v5.5M16 19h6M19 16v6',
  pencil: 'M4 20h4l10.5-10.5a2.8 2.8 0 1 0-4-4l-10.5 10.5v4M13.5 6.5l4 4',
  plus: 'M12 5v14M5 12h14',
  reply: 'M18 18v-6a3 3 0 0 0-3-3h-10l4-4m0 8l-4-4',
  search: 'M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0M21 21l-6-6',
  settings:
    'M10.3 4.3c.4-1.8 2.9-1.8 3.4 0a1.7 1.7 0 0 0 2.5 1.1c1.6-1 3.3.8 2.4 2.4a1.7 1.7 0 0 0 1.1 2.5c1.7.5 1.7 3 0 3.4a1.7 1.7 0 0 0-1.1 2.6c.9 1.5-.8 3.2-2.4 2.3a1.7 1.7 0 0 0-2.5 1.1c-.5 1.7-3 1.7-3.4 0a1.7 1.7 0 0 0-2.6-1.1c-1.5.9-3.2-.8-2.3-2.3a1.7 1.7 0 0 0-1.1-2.6c-1.7-.4-1.7-2.9 0-3.4a1.7 1.7 0 0 0 1.1-2.5c-.9-1.6.8-3.3 2.3-2.4c1 .6 2.3.1 2.6-1.1M9 12a3 3 0 1 0 6 0a3 3 0 0 0-6 0',
  trash:
    'M4 7h16M10 11v6M14 11v6M5 7l1 12a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2l1-12M9 7v-3a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v3',
  user: 'M8 7a4 4 0 1 0 8 0a4 4 0 0 0-8 0M6 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2',
}

export type IconName = keyof typeof paths

type Props = { name: IconName; size?: number }

/** An icon that screen readers ignore. The element around it has the accessible name. */
export function Icon({ name, size = 18 }: Props) {
  return <PathIcon path={paths[name]} size={size} />
}

/** An icon whose path is not in this file, because only one page has it. */
export function PathIcon({ path, size }: { path: string; size: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}
