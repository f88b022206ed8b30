import { EntryLabel } from '../../people/entry-label.tsx'
import { CompletionList, optionID } from '../completion/completion-list.tsx'
import { useEmojiNames } from '../completion/use-emoji-names.ts'
import { type CompletedField, useReplacements } from '../completion/use-replacements.ts'
import { writeMarkdown } from '../field-text/field-markdown.ts'
import { useMentions } from '../mentions/use-mentions.ts'
import styles from './completions.module.css'

type Options = { near: readonly string[]; onSubmit: () => void }

/** Completes mentions and emoji in a field. */
export function useCompletions(field: CompletedField, { near, onSubmit }: Options) {
  const replacements = useReplacements(field)
  const mentions = useMentions(field, { replacements, near, onSubmit })
  const emoji = useEmojiNames(field, replacements)
  const open = [mentions, emoji].find(({ options }) => options.length > 0)
  return {
    mentions,
    emoji,
    /** Returns whether a list handled the key. `isSend` says whether the key would send the message. */
    onKey: (key: string, isSend: boolean) =>
      key === 'Backspace'
        ? replacements.revert(field.caret)
        : emoji.onKey(key) || mentions.onKey(key, isSend),
    /** Call this after the person has typed one character before the caret. */
    onType: (caret: number) => {
      mentions.onType(caret)
      emoji.onType(caret)
    },
    /** Completes the names that are still text, and returns the Markdown. */
    complete: () => writeMarkdown(emoji.complete(mentions.complete(field.latest()))),
    props: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': open?.listID,
      'aria-activedescendant': open && optionID(open.listID, open.active),
      // Otherwise, Escape would close the dialog around the field instead of the list.
      'data-mantine-stop-propagation': open !== undefined || mentions.notice !== null || undefined,
    },
  }
}

export function CompletionLists({ completions }: { completions: ReturnType<typeof useCompletions> }) {
  const { mentions, emoji } = completions
  return (
    <>
      <CompletionList
        id={mentions.listID}
        label="Users and groups"
        options={mentions.options}
        active={mentions.active}
        notice={mentions.notice}
        onChoose={mentions.choose}
      >
        {(entry) => <EntryLabel entry={entry} />}
      </CompletionList>
      <CompletionList
        id={emoji.listID}
        label="Emoji"
        options={emoji.options}
        active={emoji.active}
        onChoose={emoji.choose}
      >
        {(option) => (
          <>
            <span className={styles.emoji}>{option.emoji}</span>
            <span>:{option.name}:</span>
          </>
        )}
      </CompletionList>
    </>
  )
}

/** Returns whether a person has typed one character or a line break. */
export function isOneCharacter(event: Event): boolean {
  if (!(event instanceof InputEvent)) return false
  return (
    event.inputType === 'insertLineBreak' || (event.inputType === 'insertText' && event.data?.length === 1)
  )
}
