import styles from './state-mark.module.css'

const marks: Record<string, { label: string; path: string }> = {
  running: { label: 'Running', path: '' },
  failed: { label: 'Failed', path: 'M4.2 4.2l3.6 3.6M7.8 4.2L4.2 7.8' },
  ok: { label: 'OK', path: 'M3.6 6.2l1.7 1.7 3.1-3.6' },
}

type Props = { state: string | null | undefined; label?: string }

/** A mark for the state of a message or a thread: a ring, a cross or a check. Without a state, shows nothing. */
export function StateMark({ state, ...props }: Props) {
  const mark = marks[state ?? '']
  if (!mark) return null
  const { label, path } = { ...mark, ...props }
  return (
    <span className={styles.mark} data-state={state} role="img" aria-label={label} title={label}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {path === '' ? (
          <circle className={styles.ring} cx="6" cy="6" r="4.5" transform="rotate(-90 6 6)" />
        ) : (
          <>
            <circle cx="6" cy="6" r="5.5" fill="currentColor" />
            <path className={styles.sign} d={path} />
          </>
        )}
      </svg>
    </span>
  )
}
