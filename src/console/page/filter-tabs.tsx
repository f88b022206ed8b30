import styles from './filter-tabs.module.css'

export type FilterTabsProps<Filter extends string> = {
  filters: readonly (readonly [value: Filter, label: string])[]
  filter: Filter
  onChange: (filter: Filter) => void
  /** Numbers beside the names. Without a number, or with 0, there is none. */
  counts?: Partial<Record<Filter, Count>>
}

/** A number of threads or messages. `isMore` says that there may be more. */
export type Count = { value: number; isMore: boolean }

/** The buttons above a list that choose what it shows. */
export function FilterTabs<Filter extends string>(props: FilterTabsProps<Filter> & { label: string }) {
  const { label, filters, filter, onChange, counts } = props
  return (
    // biome-ignore lint/a11y/useSemanticElements: A fieldset is for the fields of a form.
    <div className={styles.tabs} role="group" aria-label={label}>
      {filters.map(([value, name]) => (
        <button
          key={value}
          type="button"
          className={styles.tab}
          aria-pressed={value === filter}
          onClick={() => onChange(value)}
        >
          {name}
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
