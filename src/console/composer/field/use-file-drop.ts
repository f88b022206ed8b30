import { type DragEvent, useState } from 'react'

/** Returns the props of an element on which files can be dropped. `onFiles` is null if no files are accepted. */
export function useFileDrop(onFiles: ((files: FileList) => void) | null) {
  const [isOver, setOver] = useState(false)
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(onFiles !== null)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      onFiles?.(event.dataTransfer.files)
    },
  }
}

/** Returns false if only text is dragged, which the field handles itself. */
function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files')
}
