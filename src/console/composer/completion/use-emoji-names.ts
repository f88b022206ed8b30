import { loadEmoji, loadedEmoji, useEmoji } from '../../emoji/emoji-data.ts'
import {
  type EmojiName,
  emojiNamed,
  namesLike,
  unfinishedName,
  wholeNamesIn,
} from '../../emoji/emoji-names.ts'
import { isInCode } from '../field-text/field-markdown.ts'
import { type FieldText, plain, replaceParts } from '../field-text/field-text.ts'
import { useChoice, useDismissal } from './use-choice.ts'
import type { CompletedField, Replacements } from './use-replacements.ts'

const maxShown = 8

/** Offers emoji while the text before the caret ends with a colon and the beginning of a name. */
export function useEmojiNames({ shown, caret, latest, type }: CompletedField, replacements: Replacements) {
  const unfinished = unfinishedName(shown.text.slice(0, caret))
  const { start = 0, search = '' } = unfinished ?? {}
  const { isDismissed, dismiss } = useDismissal(shown.text, ':')
  const isOpen = unfinished !== null && !isDismissed(start) && !isInCode(shown.text, start)
  const emojis = useEmoji(isOpen)
  const choose = ({ emoji }: EmojiName) => type({ start, end: caret, part: plain(emoji) })
  const found = isOpen ? namesLike(emojis, search).slice(0, maxShown) : []
  const list = useChoice(
    found.map((one) => ({ ...one, id: one.emoji })),
    search,
    choose,
  )

  /** Call this after the person has typed one character before the caret. The last colon completes a name. */
  const onType = async (caret: number) => {
    const shown = latest()
    const typed = wholeNamesIn(shown.text.slice(0, caret)).at(-1)
    if (typed?.end !== caret || replacements.isRefused(typed.name) || isInCode(shown.text, typed.start))
      return
    await loadEmoji().catch(() => {})
    const emoji = emojiNamed(loadedEmoji(), typed.name)
    // If the person typed more while the emoji were loading, the name is completed when the message is sent.
    if (emoji && latest() === shown) replacements.replace(typed.name, { ...typed, part: plain(emoji) })
  }

  /** Completes the names that are still text. */
  const complete = (text: FieldText): FieldText => {
    const changes = wholeNamesIn(text.text).flatMap(({ name, start, end }) => {
      const isMention = text.mentions.some((one) => one.start < end && start < one.end)
      const isText = isMention || replacements.isRefused(name) || isInCode(text.text, start)
      const emoji = isText ? undefined : emojiNamed(loadedEmoji(), name)
      return emoji ? [{ start, end, part: plain(emoji) }] : []
    })
    return replaceParts(text, changes)
  }

  const onKey = (key: string): boolean => {
    if (key !== 'Escape' || list.options.length === 0) return list.onKey(key)
    dismiss(start)
    return true
  }
  return { ...list, choose, onKey, onType, complete }
}
