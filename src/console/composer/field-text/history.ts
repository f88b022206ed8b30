import type { FieldText } from './field-text.ts'

/**
 * The texts that a field has shown. The browser undoes and repeats what was typed, but it does not know mentions.
 * Therefore, the mentions of a text that appears again are looked up here.
 */
export type History = { states: readonly FieldText[]; at: number; isTyping: boolean }

export function startHistory(shown: FieldText): History {
  return { states: [shown], at: 0, isTyping: false }
}

/** Adds what a field shows after an edit. Edits that change no mention share one state. */
export function addState({ states, at, isTyping }: History, next: FieldText): History {
  const last = states[at]
  const isSame = last !== undefined && idsOf(last) === idsOf(next)
  const kept = states.slice(0, isSame && isTyping ? at : at + 1)
  return { states: [...kept, next], at: kept.length, isTyping: isSame }
}

/** Returns the history at the next state with this text, before the current state or after it, or null. */
export function stepTo(history: History, text: string, current: FieldText, isUndo: boolean): History | null {
  const { states, at } = history
  const isNext = (state: FieldText) => state !== current && state.text === text
  const found = isUndo
    ? states.slice(0, at + 1).findLastIndex(isNext)
    : states.findIndex((state, index) => index >= at && isNext(state))
  return found < 0 ? null : { states, at: found, isTyping: false }
}

function idsOf({ mentions }: FieldText): string {
  return mentions.map(({ id }) => id).join()
}
