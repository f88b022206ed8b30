import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Icon } from '../../page/icon.tsx'
import { hasFiles } from '../../page/refuse-files.ts'
import { ToolButton } from './field-tools.tsx'

/** A form accepts the files that are dropped on the nearest of these elements around it. */
const pane = '[data-drop-pane]'

/**
 * Accepts the files that are dropped on the pane around a form. Returns the props of the form. `onFiles` is null if no
 * files are accepted.
 */
export function useFileDrop(onFiles: ((files: FileList) => void) | null) {
  const ref = useRef<HTMLFormElement>(null)
  const [isOver, setOver] = useState(false)
  const onDrag = useEffectEvent((event: DragEvent, area: Element) => {
    if (!onFiles || !hasFiles(event)) return
    event.preventDefault()
    const { relatedTarget, dataTransfer } = event
    // The pointer also leaves an element when it enters a child of the element.
    const isLeft =
      event.type === 'dragleave' && !(relatedTarget instanceof Node && area.contains(relatedTarget))
    setOver(event.type !== 'drop' && !isLeft)
    if (event.type === 'drop' && dataTransfer) onFiles(dataTransfer.files)
  })
  useEffect(() => {
    const area = ref.current?.closest<HTMLElement>(pane) ?? ref.current
    if (!area) return
    const listening = new AbortController()
    for (const type of ['dragover', 'dragleave', 'drop'] as const)
      area.addEventListener(type, (event) => onDrag(event, area), { signal: listening.signal })
    return () => listening.abort()
  }, [])
  return { ref, 'data-over': isOver || undefined }
}

/**
 * Returns the files of a clipboard. Returns null if it has formatted text, because spreadsheets also copy a picture of
 * the text. File managers also copy the name of a file, and browsers also copy the HTML of a picture.
 */
export function copiedFiles(clipboard: DataTransfer): FileList | null {
  const isFormatted = ['text/html', 'text/rtf'].some((type) => clipboard.types.includes(type))
  if (isFormatted && clipboard.getData('text/plain').trim() !== '') return null
  return clipboard.files.length > 0 ? clipboard.files : null
}

export function AttachButton({ onFiles }: { onFiles: (files: FileList) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <ToolButton label="Attach files" onClick={() => input.current?.click()}>
        <Icon name="plus" />
      </ToolButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={({ currentTarget }) => {
          if (currentTarget.files) onFiles(currentTarget.files)
          // Otherwise the same file could not be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
