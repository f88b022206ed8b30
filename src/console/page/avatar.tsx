import { useState } from 'react'
import styles from './avatar.module.css'
import { Icon, PathIcon } from './icon.tsx'
import { glyphOf } from './program-glyph.ts'

type Size = 'sm' | 'md' | 'lg' | 'xl'

/** What a picture shows. `kind` is `person`, `workspace`, or anything else for a program. */
export type Pictured = { id: string; name: string; kind: string; avatarURL?: string | null | undefined }

type Props = { user: Pictured; size?: Size }

const iconSizes = { sm: 12, md: 15, lg: 18, xl: 32 }

/** The hues of people, at one lightness and one chroma. Hues that follow each other are far apart. */
const hues = [25, 162, 300, 77, 215, 352, 130, 267, 45, 182, 320, 97, 235, 12, 148, 283]

/**
 * Shows a picture. Until it has loaded, and if there is none, shows the initials of a person or workspace, or an icon
 * for a program. People are round, and have a color that depends on the ID. Programs are square and have no color. Hidden
 * from screen readers, because the name is next to it.
 */
export function Avatar({ user, size = 'lg' }: Props) {
  const { id, name, kind, avatarURL } = user
  const [outcome, setOutcome] = useState<{ url: string; isLoaded: boolean } | null>(null)
  const isLoaded = outcome?.url === avatarURL ? outcome?.isLoaded : undefined
  const isProgram = kind !== 'person' && kind !== 'workspace'
  return (
    <span
      className={styles.avatar}
      style={{ ['--hue' as string]: hues[hashOf(id) % hues.length] }}
      data-size={size}
      data-program={kind !== 'person' || undefined}
      data-initials={isLoaded || isProgram ? undefined : initialsOf(name)}
      aria-hidden
    >
      {!isLoaded && isProgram && <PathIcon path={glyphOf(user)} size={iconSizes[size]} />}
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
