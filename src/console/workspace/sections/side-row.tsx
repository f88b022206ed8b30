import { useLocalStorage } from '@mantine/hooks'
import type { KeyboardEventHandler, ReactNode } from 'react'
import { Link } from 'react-router'
import { IconLink } from '../../page/header.tsx'
import { Icon } from '../../page/icon.tsx'
import styles from './sidebar.module.css'

type RowProps = {
  to: string
  state?: object
  icon: ReactNode
  label: string
  isCurrent: boolean
  isUnread?: boolean
  isMuted?: boolean
  /** A counter or a dot. */
  mark?: ReactNode
  /** A button that replaces the mark while the pointer or the focus is on the row. */
  menu?: ReactNode
  onKeyDown?: KeyboardEventHandler
}

/** A link of the sidebar. */
export function SideRow({
  to,
  state,
  icon,
  label,
  isCurrent,
  isUnread,
  isMuted,
  mark,
  menu,
  onKeyDown,
}: RowProps) {
  return (
    <li className={styles.item}>
      <Link
        className={styles.row ?? ''}
        to={to}
        state={state}
        aria-current={isCurrent ? 'page' : undefined}
        data-unread={isUnread || undefined}
        data-muted={isMuted || undefined}
        onKeyDown={onKeyDown}
      >
        {icon}
        <span className={styles.label} dir="auto">
          {label}
        </span>
        {mark}
      </Link>
      {menu && <div className={styles.menu}>{menu}</div>}
    </li>
  )
}

type SectionProps = {
  name: string
  title: string
  add?: { to: string; state?: object; label: string }
  children: ReactNode
}

/** A part of the sidebar. While it is folded, it shows only the unread rows and the current one. */
export function SideSection({ name, title, add, children }: SectionProps) {
  const [isFolded, setFolded] = useLocalStorage({
    key: `skein-folded-${name}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  return (
    <>
      <div className={styles.title}>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        >
          {title}
          <Icon name="chevronDown" size={12} />
        </button>
        {add && <IconLink {...add} icon="plus" />}
      </div>
      <ul className={styles.rows} aria-label={title} data-folded={isFolded || undefined}>
        {children}
      </ul>
    </>
  )
}
