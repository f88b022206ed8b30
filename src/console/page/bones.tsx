import styles from './bones.module.css'

const rows = [
  [65, 80],
  [80, 50],
  [50, 65],
]

/** The shapes of the messages of a conversation that is loading. */
export function MessageBones({ count = 5 }: { count?: number }) {
  return (
    <div className={styles.messages}>
      {Array.from({ length: count }, (_, message) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: The messages have no identity.
        <div key={message} className={styles.message}>
          <span className={styles.avatar} />
          <span className={styles.lines}>
            {[25, ...(rows[message % rows.length] ?? [])].map((width) => (
              <span key={width} className={styles.line} style={{ width: `${width}%` }} />
            ))}
          </span>
        </div>
      ))}
    </div>
  )
}

/** The shapes of the rows of a list that is loading. */
export function RowBones({ count = 9 }: { count?: number }) {
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: The rows have no identity.
    <div key={row} className={styles.row}>
      <span className={styles.avatar} />
      <span className={styles.lines}>
        {rows[row % rows.length]?.map((width) => (
          <span key={width} className={styles.line} style={{ width: `${width}%` }} />
        ))}
      </span>
    </div>
  ))
}
