import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { fold } from '../../../text/search/words.ts'
import { knownEntries, mostFound, searchDirectory } from '../../people/directory.ts'
import { completeMentions, exactEntry, isPlain, mentionOf, unfinishedMention } from './mention-text.ts'

type Props = {
  text: string
  isDismissed: (start: number) => boolean
  /** Replaces a part of the text so that the browser can undo it. */
  onRetype: (start: number, end: number, part: string) => void
  onMove: (caret: number) => void
}

type Completed = { start: number; before: string; after: string; typed: string; mention: string }

/**
 * Completes a mention when a person types the whole name and then a space or punctuation. A name that the person turned
 * back into text stays text in this message.
 */
export function useExactMention({ text, isDismissed, onRetype, onMove }: Props) {
  const environment = useRelayEnvironment()
  const latest = useRef(text)
  const completed = useRef<Completed | null>(null)
  const refused = useRef(new Set<string>())
  const move = useEffectEvent(onMove)
  useLayoutEffect(() => {
    latest.current = text
    const { current } = completed
    if (current?.before === text) {
      refused.current.add(nameIn(current.typed))
      // After an undo, the browser selects the text that it has restored, and the next letter would replace this text.
      // Therefore, the caret moves to the end of this text.
      move(current.start + current.typed.length)
    }
    if (text !== '') return
    completed.current = null
    refused.current.clear()
  }, [text])
  const isRefused = (start: number, name: string) => isDismissed(start) || refused.current.has(fold(name))

  /** Call this after the person has typed one character before the caret. */
  const onType = async (value: string, caret: number) => {
    latest.current = value
    const next = value.slice(caret - 1, caret)
    const unfinished = unfinishedMention(value.slice(0, caret - 1))
    if (!unfinished?.search || !/[\s\p{P}]/u.test(next)) return
    const { start, search } = unfinished
    if (isDismissed(start)) refused.current.add(fold(search))
    if (isRefused(start, search) || !isPlain(value, start)) return
    const entries = await searchDirectory(environment, search).catch(() => [])
    const groups = entries.filter(({ kind }) => kind === 'group').length
    const isWhole = groups < mostFound && entries.length - groups < mostFound
    const entry = isWhole ? exactEntry(entries, search, next) : undefined
    // If the person typed more while the search was in flight, the mention is completed when the message is sent.
    if (!entry || latest.current !== value) return
    const mention = mentionOf(entry) + next
    const after = value.slice(0, start) + mention + value.slice(caret)
    completed.current = { start, before: value, after, typed: value.slice(start, caret), mention }
    onRetype(start, caret, mention)
  }

  /** Turns the mention back into text if it was just completed before the caret. Returns whether it did. */
  const revert = (caret: number): boolean => {
    const { current } = completed
    if (current?.after !== text || caret !== current.start + current.mention.length) return false
    onRetype(current.start, caret, current.typed)
    return true
  }

  /** Completes the mentions that are still text. */
  const complete = (value: string) =>
    completeMentions(value, [...knownEntries(environment).values()], isRefused)

  return { onType, revert, complete }
}

/** Returns the name in what was typed, between the @ and the last character. */
function nameIn(typed: string): string {
  return fold(typed.slice(1, -1))
}
