import { type KeyboardEvent, useState } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { type DirectoryEntry, knownEntries, searchOf } from '../directory.ts'
import { useEntries } from './use-entries.ts'
import { rank, useSearch } from './use-search.ts'

type Option = { value: string; label: string }

const delayMs = 150

/** `showsName`: whether the field shows the name of the selected entry until the person types something else. */
type Options = { showsName: boolean }

/** The state of a field that finds users and groups while a person types. `selected` has the selected IDs. */
export function usePicker(selected: readonly string[], { showsName }: Options) {
  const environment = useRelayEnvironment()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [chosenFrom, setChosenFrom] = useState<readonly DirectoryEntry[] | null>(null)
  const { known, isLoading: isNaming } = useEntries(selected)
  const selectedOptions = selected.map(
    (id): Option => optionOf(known.get(id) ?? { id, name: isNaming ? '…' : id, kind: 'person' }),
  )
  const isTyping = !showsName || selectedOptions.every(({ label }) => label !== text)
  const { entries, isLoading, problem } = useSearch(isTyping ? text : '', { isActive: isOpen, delayMs })
  const shown = chosenFrom ?? entries
  const notice = problem ?? (isLoading ? 'Searching…' : 'No matches')
  const takesFirst = isOpen && text !== '' && !isLoading && chosenFrom === null
  return {
    people: shown.filter(({ kind }) => kind === 'person' || kind === 'app').map(optionOf),
    webhooks: shown.filter(({ kind }) => kind === 'webhook').map(optionOf),
    groups: shown.filter(({ kind }) => kind === 'group').map(optionOf),
    publicGroups: shown.filter(({ kind, isPrivate }) => kind === 'group' && !isPrivate).map(optionOf),
    selectedOptions,
    /** Returns the user or group of an option, or undefined if it is not known. */
    entryOf: (id: string) => knownEntries(environment).get(id),
    isTyping,
    isOpen,
    /** Whether Enter chooses the first match: the person has typed, and has not moved to another option. */
    takesFirst,
    /** A lower rank is a better match. */
    rankOf: (option: Option | undefined) => rank(option?.label ?? '', searchOf(text)),
    /** What a screen reader says about the list. */
    announcement: (count: number, first: Option | undefined) => {
      if (!isOpen || isLoading) return ''
      const choice = takesFirst && first ? `. Enter chooses ${first.label}.` : ''
      return countText(count, problem) + choice
    },
    close: () => {
      setText('')
      setOpen(false)
    },
    props: {
      searchable: true,
      searchValue: text,
      onSearchChange: (value: string) => {
        setText(value)
        setChosenFrom(null)
      },
      onDropdownOpen: () => setOpen(true),
      onDropdownClose: () => {
        setOpen(false)
        setChosenFrom(null)
      },
      // While the person moves between the options, new results must not put another option under the highlight.
      onKeyDown: ({ key }: KeyboardEvent) => {
        const isMoving = isOpen && shown.length > 0 && (key === 'ArrowDown' || key === 'ArrowUp')
        if (isMoving) setChosenFrom(shown)
      },
      nothingFoundMessage: notice,
    },
  }
}

function optionOf({ id, name, kind }: DirectoryEntry): Option {
  return { value: id, label: kind === 'app' || kind === 'webhook' ? `${name} (${kind})` : name }
}

function countText(count: number, problem: string | null): string {
  if (problem !== null) return problem
  if (count === 0) return 'No matches'
  return count === 1 ? '1 match' : `${count} matches`
}

/** Returns whether an option in the list of a field is highlighted. Enter then chooses it. */
export function hasHighlight(field: HTMLElement): boolean {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '')
  return list?.querySelector('[data-combobox-selected]') != null
}
