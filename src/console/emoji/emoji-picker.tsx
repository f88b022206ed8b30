import { EmojiPicker as Picker } from 'frimousse'
import { useState } from 'react'
import { loadEmoji, useEmoji } from './emoji-data.ts'
import { emojiLike } from './emoji-names.ts'
import styles from './emoji-picker.module.css'
import { EmojiResults, useResults } from './emoji-results.tsx'
import { readRecent, rememberEmoji } from './used-emoji.ts'

/** The emoji in a row of the picker. */
const columns = 8

export default function EmojiPicker({ onSelect }: { onSelect: (emoji: string) => void }) {
  const [search, setSearch] = useState('')
  const select = (emoji: string) => {
    rememberEmoji(emoji)
    onSelect(emoji)
  }
  const found = emojiLike(useEmoji(true), search)
  const results = useResults(found, { search, columns, onSelect: select })
  return (
    <Picker.Root
      className={styles.picker}
      columns={columns}
      resolveEmojiData={loadEmoji}
      onEmojiSelect={({ emoji }) => select(emoji)}
    >
      <input
        {...results.props}
        // The arrow keys move from an element with this attribute into the list.
        frimousse-search=""
        type="search"
        className={styles.search}
        aria-label="Search emoji"
        placeholder="Search emoji"
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: The picker opens for this field.
        autoFocus
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <RecentEmoji onSelect={select} />
      {search.trim() === '' ? <AllEmoji /> : <EmojiResults results={results} />}
    </Picker.Root>
  )
}

function AllEmoji() {
  return (
    <Picker.Viewport className={styles.viewport}>
      <Picker.Loading className={styles.hint}>Loading…</Picker.Loading>
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
