import { ActionIcon, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Icon, type IconName } from './icon.tsx'
import styles from './page.module.css'

/** The bar above the content of a page or a pane. All bars have the same height. */
export function Header({ children }: { children: ReactNode }) {
  return (
    <Group component="header" className={styles.header ?? ''} justify="space-between" wrap="nowrap">
      {children}
    </Group>
  )
}

/** A link to the list from which the page was opened. Only a narrow screen needs it. */
export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <Link className={styles.back ?? ''} to={to} aria-label={`Back to ${label}`} title={label}>
      <Icon name="back" />
    </Link>
  )
}

/** A button that leads from a page of a narrow screen to what it covers. */
export function BackButton({ onClick }: { onClick: () => void }) {
  return (
    <ActionIcon hiddenFrom="md" aria-label="Back" onClick={onClick}>
      <Icon name="back" />
    </ActionIcon>
  )
}

type IconLinkProps = {
  to: string
  state?: object | undefined
  icon: IconName
  label: string
  isCurrent?: boolean
}

/** A link that shows only an icon. */
export function IconLink({ to, state, icon, label, isCurrent = false }: IconLinkProps) {
  return (
    <Link
      className={styles.iconLink ?? ''}
      to={to}
      state={state}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      title={label}
    >
      <Icon name={icon} />
    </Link>
  )
}
