import { useRelayEnvironment } from 'react-relay/hooks'
import { fold } from '../../../text/search/words.ts'
import { knownEntries, mostFound, searchDirectory } from '../../people/directory.ts'
import type { CompletedField, Replacements } from '../completion/use-replacements.ts'
import { type FieldText, mentionText, replaceParts } from '../field-text/field-text.ts'
import { exactEntry, isPlain, unfinishedMention, wholeNames } from './mention-text.ts'

type Options = { replacements: Replacements; isDismissed: (start: number) => boolean }

/** Completes a mention when a person types the whole name and then a space or punctuation. */
export function useExactMention({ latest }: CompletedField, { replacements, isDismissed }: Options) {
  const environment = useRelayEnvironment()
  const isRefused = (start: number, name: string) =>
    isDismissed(start) || replacements.isRefused(`@${fold(name)}`)

  /** Call this after the person has typed one character before the caret. */
  const onType = async (caret: number) => {
    const shown = latest()
    const next = shown.text.slice(caret - 1, caret)
    const unfinished = unfinishedMention(shown, caret - 1)
    if (!unfinished?.search || !/[\s\p{P}]/u.test(next)) return
    const { start, search } = unfinished
    const name = `@${fold(search)}`
    if (isDismissed(start)) replacements.refuse(name)
    if (isRefused(start, search) || !isPlain(shown.text, start)) return
    const entries = await searchDirectory(environment, search).catch(() => [])
    const groups = entries.filter(({ kind }) => kind === 'group').length
    const isWhole = groups < mostFound && entries.length - groups < mostFound
    const entry = isWhole ? exactEntry(entries, search, next) : undefined
    // If the person typed more while the search was in flight, the mention is completed when the message is sent.
    if (!entry || latest() !== shown) return
    const mention = mentionText(entry)
    replacements.replace(name, { start, end: caret, part: { ...mention, text: mention.text + next } })
  }

  /** Completes the mentions that are still text. */
  const complete = (text: FieldText) =>
    replaceParts(text, wholeNames(text, [...knownEntries(environment).values()], isRefused))

  return { onType, complete }
}
