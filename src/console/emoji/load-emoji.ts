import type { EmojiData } from 'frimousse'
import emojiURL from './emoji.json?url'

/** Loads the emoji with their English names. The service serves the file, because the content security policy allows no other source. */
export async function loadEmoji(): Promise<EmojiData> {
  const response = await fetch(emojiURL)
  if (!response.ok) throw new Error('The emoji could not be loaded.')
  return response.json()
}
