import type { EmojiData } from 'frimousse'
import { useEffect, useState } from 'react'
import emojiURL from './emoji.json?url'
import type { Emoji } from './emoji-names.ts'

const none: readonly Emoji[] = []
let loading: Promise<EmojiData> | null = null
let loaded: readonly Emoji[] = none

/** Loads the emoji with their English names. The service serves the file, because the content security policy allows no other source. */
export function loadEmoji(): Promise<EmojiData> {
  loading ??= load()
  loading.catch(() => {
    loading = null
  })
  return loading
}

/** Returns the emoji if they are loaded. */
export function loadedEmoji(): readonly Emoji[] {
  return loaded
}

/** Returns the emoji, and loads them when they are first needed. */
export function useEmoji(isNeeded: boolean): readonly Emoji[] {
  const [emojis, setEmojis] = useState(loaded)
  const isMissing = isNeeded && emojis === none
  useEffect(() => {
    if (isMissing)
      loadEmoji().then(
        (data) => setEmojis(data.emojis),
        () => {},
      )
  }, [isMissing])
  return emojis
}

async function load(): Promise<EmojiData> {
  const response = await fetch(emojiURL)
  if (!response.ok) throw new Error('The emoji could not be loaded.')
  const data: EmojiData = await response.json()
  loaded = data.emojis
  return data
}
