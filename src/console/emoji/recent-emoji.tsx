import { readStored, writeStored } from '../session/browser-storage.ts'
import styles from './emoji-picker.module.css'

const key = 'skein-recent-emoji'
/** The number of emoji in a row of the picker. */
const most = 8

/** The emoji that were last chosen in this browser, the newest first. */
export function RecentEmoji({ onSelect }: { onSelect: (emoji: string) => void }) {
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

export function rememberEmoji(emoji: string): void {
  const recent = [emoji, ...readRecent().filter((other) => other !== emoji)].slice(0, most)
  writeStored(key, recent.join(' '))
}

function readRecent(): string[] {
  return (readStored(key) ?? '').split(' ').filter(Boolean).slice(0, most)
}
