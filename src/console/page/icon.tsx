import { paths } from './icon-paths.ts'

export type IconName = keyof typeof paths

type Props = { name: IconName; size?: number }

/** An icon that screen readers ignore. The element around it has the accessible name. */
export function Icon({ name, size = 18 }: Props) {
  return <PathIcon path={paths[name]} size={size} />
}

/** An icon with a path that only one page has. */
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
