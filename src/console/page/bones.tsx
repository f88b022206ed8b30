import styles from './bones.module.css'

const rowWidths = [
  [65, 80],
  [50, 65],
  [80, 50],
  [35, 80],
  [65, 65],
]
const messageWidths = [[95, 80], [65], [95, 95, 50], [35], [80, 65], [50]]

/** The shapes of a conversation that is loading: its header, its messages and its composer. */
export function ConversationBones() {
  return (
    <div className={styles.conversation}>
      <div className={styles.header}>
        <Bone width={35} />
      </div>
      <div className={styles.messages}>
        {messageWidths.map((widths) => (
          <div key={widths.join()} className={styles.message}>
            <span className={styles.avatar} />
            <Lines widths={[20, ...widths]} />
          </div>
        ))}
      </div>
      <div className={styles.composer} />
    </div>
  )
}

/** The shapes of a few lines. */
export function TextBones() {
  return (
    <div className={styles.text}>
      <Lines widths={[35, 80, 65, 50]} />
    </div>
  )
}

/** The shapes of the rows of a list that is loading. With a title, the rows begin where those of a section would. */
export function RowBones({ count = 10, title }: { count?: number; title?: string }) {
  return (
    <>
      {title !== undefined && <p className={styles.title}>{title}</p>}
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: The rows have no identity.
        <div key={row} className={styles.row}>
          <span className={styles.avatar} />
          <Lines widths={rowWidths[row % rowWidths.length] ?? []} />
        </div>
      ))}
    </>
  )
}

/** The shapes of the rows of the sidebar that are loading. */
export function SideBones({ count }: { count: number }) {
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: The rows have no identity.
    <li key={row} className={styles.side} aria-hidden>
      <Bone width={rowWidths[row % rowWidths.length]?.[0] ?? 0} />
    </li>
  ))
}

function Lines({ widths }: { widths: readonly number[] }) {
  return (
    <span className={styles.lines}>
      {widths.map((width, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: The lines have no identity.
        <Bone key={line} width={width} />
      ))}
    </span>
  )
}

/** The shape of a line. `width` is in percent. */
export function Bone({ width }: { width: number }) {
  return <span className={styles.line} style={{ width: `${width}%` }} />
}
