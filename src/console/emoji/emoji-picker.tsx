import { EmojiPicker as Picker } from 'frimousse'
import styles from './emoji-picker.module.css'
import { loadEmoji } from './load-emoji.ts'
import { RecentEmoji, rememberEmoji } from './recent-emoji.tsx'

export default function EmojiPicker({ onSelect }: { onSelect: (emoji: string) => void }) {
  const select = (emoji: string) => {
    rememberEmoji(emoji)
    onSelect(emoji)
  }
  return (
    <Picker.Root
      className={styles.picker}
      columns={8}
      resolveEmojiData={loadEmoji}
      onEmojiSelect={({ emoji }) => select(emoji)}
    >
      <Picker.Search
        className={styles.search}
        aria-label="Search emoji"
        placeholder="Search emoji"
        autoFocus
      />
      <RecentEmoji onSelect={select} />
      <Picker.Viewport className={styles.viewport}>
        <Picker.Loading className={styles.hint}>Loading…</Picker.Loading>
        <Picker.Empty className={styles.hint}>No emoji found. Try another word.</Picker.Empty>
        <Picker.List
          components={{
            CategoryHeader: ({ category, ...props }) => (
              <div {...props} className={styles.category}>
                {category.label}
              </div>
            ),
            Row: ({ children, ...props }) => <div {...countFromOne(props)}>{children}</div>,
            Emoji: ({ emoji, ...props }) => (
              <button
                {...countFromOne(props)}
                type="button"
                className={styles.emoji}
                data-active={emoji.isActive || undefined}
              >
                {emoji.emoji}
              </button>
            ),
          }}
        />
      </Picker.Viewport>
    </Picker.Root>
  )
}

/** The component counts rows and columns from 0, but ARIA counts from 1. */
function countFromOne<T extends { 'aria-rowindex'?: number; 'aria-colindex'?: number }>(props: T): T {
  const [row, column] = [props['aria-rowindex'], props['aria-colindex']]
  return {
    ...props,
    ...(row !== undefined && { 'aria-rowindex': row + 1 }),
    ...(column !== undefined && { 'aria-colindex': column + 1 }),
  }
}
