const paths = {
  attach:
    'M21 11.5l-8.6 8.6a5.5 5.5 0 0 1-7.8-7.8l8.9-8.9a3.7 3.7 0 0 1 5.2 5.2l-8.9 8.9a1.8 1.8 0 0 1-2.6-2.6l8.2-8.2',
  emoji: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M8.5 14.5a4.5 4.5 0 0 0 7 0M9 9.5v.5M15 9.5v.5',
  reply: 'M9 15L4 10l5-5M4 10h10a6 6 0 0 1 6 6v3',
  inbox: 'M4 4h16v16H4zM4 14h5l1.5 2.5h3L15 14h5',
  groups:
    'M9 11a3.5 3.5 0 1 0 0-7a3.5 3.5 0 1 0 0 7M3 20v-1a6 6 0 0 1 12 0v1M16 4.5a3.5 3.5 0 0 1 0 6M18 14a6 6 0 0 1 3 5v1',
  dms: 'M4 5h16v11H11l-4 4v-4H4z',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13a6.5 6.5 0 1 0 0 13M20 20l-4.8-4.8',
  settings:
    'M4 7h8M18 7h2M4 17h2M12 17h8M15 9.5a2.5 2.5 0 1 0 0-5a2.5 2.5 0 1 0 0 5M9 19.5a2.5 2.5 0 1 0 0-5a2.5 2.5 0 1 0 0 5',
  thread: 'M4 6h16M4 12h16M4 18h9',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
}

export type IconName = keyof typeof paths

type Props = { name: IconName; size?: number }

/** An icon that screen readers ignore. The element around it has the accessible name. */
export function Icon({ name, size = 18 }: Props) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 3 : 2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
