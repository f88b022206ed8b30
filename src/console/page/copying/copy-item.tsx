import { Menu } from '@mantine/core'
import { useCopy } from './use-copy.ts'

/** A menu item that copies text. The menu stays open to show whether the copy succeeded. */
export function CopyItem({ label, text }: { label: string; text: string }) {
  const state = useCopy(label, text)
  return (
    <Menu.Item closeMenuOnClick={false} onClick={state.copy}>
      <span aria-live="polite">{state.label}</span>
    </Menu.Item>
  )
}
