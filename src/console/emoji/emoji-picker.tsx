import { type EmojiData, EmojiPicker as Picker } from 'frimousse'
import { readStored, writeStored } from '../session/browser-storage.ts'
import emojiURL from './emoji.json?url'
import styles from './emoji-picker.module.css'

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

const key = 'skein-recent-emoji'
/** The number of emoji in a row of the picker. */
const most = 8

/** The emoji that were last chosen in this browser, the newest first. */
function RecentEmoji({ onSelect }: { onSelect: (emoji: string) => void }) {
  const recent = readRecent()
  if (recent.length === 0) return null
  return (
    <fieldset className={styles.recent} aria-label="Recently used">
      {recent.map((emoji) => (
        <button key={emoji} type="button" className={styles.emoji} onClick={() => onSelect(emoji)}>
          {emoji}
        </button>
      ))}
    </fieldset>
  )
}

function rememberEmoji(emoji: string): void {
  const recent = [emoji, ...readRecent().filter((other) => other !== emoji)].slice(0, most)
  writeStored(key, recent.join(' '))
}

function readRecent(): string[] {
  return (readStored(key) ?? '').split(' ').filter(Boolean).slice(0, most)
}

/** Loads the emoji with their English names. The service serves the file, because the content security policy allows no other source. */
async function loadEmoji(): Promise<EmojiData> {
  const response = await fetch(emojiURL)
  if (!response.ok) throw new Error('The emoji could not be loaded.')
  return response.json()
}
