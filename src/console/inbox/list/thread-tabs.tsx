import { useEffect, useEffectEvent } from 'react'
import { type Count, FilterTabs, type FilterTabsProps } from '../../page/filter-tabs.tsx'
import styles from './thread-list.module.css'

/** The buttons above a list of threads that choose which of them it shows. */
export function ThreadTabs<Filter extends string>(props: FilterTabsProps<Filter>) {
  return (
    <div className={styles.tabs}>
      <FilterTabs label="Show threads" {...props} />
    </div>
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
