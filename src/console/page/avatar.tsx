import { useState } from 'react'
import styles from './avatar.module.css'

type Props = { user: { id: string; name: string }; isProgram?: boolean; pictureURL?: string }

const hues = [210, 265, 320, 350, 20, 95, 160, 185]

/**
 * Shows a picture. If there is no picture, or if it cannot be loaded, shows the initials of the name on a color that
 * depends on the ID. Hidden from screen readers, because the name is next to it.
 */
export function Avatar({ user, isProgram = false, pictureURL }: Props) {
  const [failedURL, setFailedURL] = useState<string | null>(null)
  if (pictureURL !== undefined && pictureURL !== failedURL)
    return (
      <span className={styles.avatar} data-program={isProgram || undefined} aria-hidden>
        <img className={styles.picture} src={pictureURL} alt="" onError={() => setFailedURL(pictureURL)} />
      </span>
    )
  const hue = hues[hashOf(user.id) % hues.length]
  return (
    <span
      className={styles.avatar}
      data-program={isProgram || undefined}
      style={{ backgroundColor: `hsl(${hue} 40% 38%)` }}
      data-initials={initialsOf(user.name)}
      aria-hidden
    />
  )
}

function initialsOf(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0])
  return letters.join('').toUpperCase()
}

function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7)
}
