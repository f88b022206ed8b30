import { useEffect, useEffectEvent } from 'react'
import styles from './thread-list.module.css'

type Props<Filter extends string> = {
  filters: readonly (readonly [value: Filter, label: string])[]
  filter: Filter
  onChange: (filter: Filter) => void
  /** Numbers beside the names. Without a number, or with 0, there is none. */
  counts?: Partial<Record<Filter, Count>>
}

/** A number of threads or messages. `isMore` says that there may be more. */
export type Count = { value: number; isMore: boolean }

/** The buttons above a list of threads that choose which of them it shows. */
export function ThreadTabs<Filter extends string>({ filters, filter, onChange, counts }: Props<Filter>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: A fieldset is for the fields of a form.
    <div className={styles.tabs} role="group" aria-label="Show threads">
      {filters.map(([value, label]) => (
        <button
          key={value}
          type="button"
          className={styles.tab}
          aria-pressed={value === filter}
          onClick={() => onChange(value)}
        >
          {label}
          <TabCount {...counts?.[value]} />
        </button>
      ))}
    </div>
  )
}

function TabCount({ value = 0, isMore = false }: Partial<Count>) {
  if (value === 0) return null
  return (
    <span className={styles.count}>
      {' '}
      {value}
      {isMore && '+'}
    </span>
  )
}

/** Passes a number on when it changes. Null is not known yet. */
export function useCount(count: Count | null, onCount: (count: Count) => void): void {
  const { value = null, isMore = false } = count ?? {}
  const pass = useEffectEvent(onCount)
  useEffect(() => {
    if (value !== null) pass({ value, isMore })
  }, [value, isMore])
}
