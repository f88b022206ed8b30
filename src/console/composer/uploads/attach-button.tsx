import { useRef } from 'react'
import { Icon } from '../../page/icon.tsx'
import { ToolButton } from '../field/tool-button.tsx'

export function AttachButton({ onFiles }: { onFiles: (files: FileList) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <ToolButton label="Attach files" onClick={() => input.current?.click()}>
        <Icon name="attach" />
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
