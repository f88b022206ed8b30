import { useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { SmallPart } from '../page/lazy/small-part.tsx'
import { shortcuts } from './shortcut-list.ts'

const ShortcutSheet = lazyPart(() => import('./shortcut-sheet.tsx'))

const longestPauseMs = 1500

/** Handles the keyboard shortcuts of all pages, and shows a list of them. */
export function Shortcuts() {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const [isShown, setShown] = useState(false)
  const first = useRef({ key: '', time: 0 })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isBusy(event)) return
      const { key, timeStamp: time } = event
      const previous = time - first.current.time < longestPauseMs ? `${first.current.key} ` : ''
      first.current = { key, time }
      const path = shortcuts.find(({ keys }) => keys === previous + key || keys === key)?.path
      if (path === 'search' && focusSearch()) first.current.key = ''
      else if (path) navigate(`/${workspaceID}/${path}`)
      else if (key === '?') setShown(true)
      else if (key === 'r') focusMessageField()
      else if (key === 'j' || key === 'k') moveInThreads(key === 'j' ? 1 : -1)
      else return
      first.current = { key: '', time: 0 }
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [navigate, workspaceID])
  return <SmallPart>{isShown && <ShortcutSheet onClose={() => setShown(false)} />}</SmallPart>
}

/** Moves the focus to the search field. Returns false if the page has none. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('input[type=search]')
  field?.focus()
  return field !== null
}

function focusMessageField(): void {
  document.querySelector<HTMLTextAreaElement>('textarea[data-message-field]')?.focus()
}

/** Returns whether the key belongs to a field, a menu or a dialog. */
export function isBusy({ target }: KeyboardEvent): boolean {
  const field = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog]'
  return target instanceof Element && target.closest(field) !== null
}

/** Moves the focus to the next or previous row of the list of threads. If no row has the focus, starts at the open thread. */
function moveInThreads(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-thread-row]')]
  const focused = rows.indexOf(document.activeElement as HTMLElement)
  const current = focused >= 0 ? focused : rows.findIndex((row) => row.ariaCurrent === 'page')
  const next = current < 0 ? rows[0] : rows[current + step]
  next?.focus()
}
