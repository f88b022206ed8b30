import { EmojiPicker as Picker } from 'frimousse'
import { loadEmoji } from './emoji-data.ts'
import styles from './emoji-picker.module.css'

/** Lets a person search for an emoji and choose it. */
export default function EmojiPicker({ onSelect }: { onSelect: (emoji: string) => void }) {
  return (
    <Picker.Root
      className={styles.picker}
      columns={8}
      resolveEmojiData={loadEmoji}
      onEmojiSelect={({ emoji }) => onSelect(emoji)}
    >
      <Picker.Search
        className={styles.search}
        aria-label="Search emoji"
        placeholder="Search emoji"
        autoFocus
      />
      <Picker.Viewport className={styles.viewport}>
        <Picker.Loading className={styles.hint}>Loading …</Picker.Loading>
        <Picker.Empty className={styles.hint}>No emoji found. Try another word.</Picker.Empty>
        <Picker.List
          components={{
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
