import dataURL from 'emojibase-data/en/data.json?url'
import messagesURL from 'emojibase-data/en/messages.json?url'
import type { EmojiData } from 'frimousse'

type Source = { emoji: string; label: string; group?: number; version: number; tags?: string[] }
type Messages = { groups: { order: number; key: string; message: string }[] }

/** The fonts of many systems do not have newer emoji. */
const newestVersion = 15
const skinTones = { light: '', 'medium-light': '', medium: '', 'medium-dark': '', dark: '' }

/** Loads the emoji with their English names. The service serves the files, because the content security policy allows no other source. */
export async function loadEmoji(): Promise<EmojiData> {
  const [emojis, { groups }] = await Promise.all([load<Source[]>(dataURL), load<Messages>(messagesURL)])
  return {
    locale: 'en',
    emojis: emojis.flatMap(({ emoji, label, group, version, tags = [] }) =>
      group === undefined || version > newestVersion ? [] : { emoji, label, category: group, version, tags },
    ),
    categories: groups
      .filter(({ key }) => key !== 'component')
      .map(({ order, message }) => ({ index: order, label: message })),
    skinTones,
  }
}

async function load<T>(url: string): Promise<T> {
  const response = await fetch(url)
  if (!response.ok) throw new Error('The emoji could not be loaded.')
  return response.json()
}
