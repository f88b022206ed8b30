import { useState } from 'react'
import styles from './avatar.module.css'
import { Icon } from './icon.tsx'

type Size = 'sm' | 'md' | 'lg' | 'xl'

/** What a picture shows. `kind` is `person`, or anything else for a program or a workspace. */
export type Pictured = { id: string; name: string; kind: string; avatarURL?: string | null | undefined }

type Props = { user: Pictured; size?: Size }

/** The hues of people, at one lightness and one chroma. Hues that follow each other are far apart. */
const hues = [25, 162, 300, 77, 215, 352, 130, 267, 45, 182, 320, 97, 235, 12, 148, 283]

/**
 * Shows a picture. Until it has loaded, and if there is none, shows the initials of the name on a color that depends on
 * the ID. People are round. Programs are square and have no color. Hidden from screen readers, because the name is next
 * to it.
 */
export function Avatar({ user: { id, name, kind, avatarURL }, size = 'lg' }: Props) {
  const [outcome, setOutcome] = useState<{ url: string; isLoaded: boolean } | null>(null)
  const isLoaded = outcome?.url === avatarURL ? outcome?.isLoaded : undefined
  return (
    <span
      className={styles.avatar}
      style={{ ['--hue' as string]: hues[hashOf(id) % hues.length] }}
      data-size={size}
      data-program={kind !== 'person' || undefined}
      data-initials={isLoaded ? undefined : initialsOf(name)}
      aria-hidden
    >
      {avatarURL && isLoaded !== false && (
        <img
          className={styles.picture}
          src={avatarURL}
          alt=""
          onLoad={() => setOutcome({ url: avatarURL, isLoaded: true })}
          onError={() => setOutcome({ url: avatarURL, isLoaded: false })}
        />
      )}
    </span>
  )
}

const iconSizes = { sm: 12, md: 15, lg: 18, xl: 32 }

/** The outline of a group. Hidden from screen readers, because the name is next to it. */
export function GroupAvatar({ isPrivate, size = 'md' }: { isPrivate: boolean; size?: Size }) {
  return (
    <span className={styles.avatar} data-size={size} data-group aria-hidden>
      <Icon name={isPrivate ? 'lock' : 'groups'} size={iconSizes[size]} />
    </span>
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
