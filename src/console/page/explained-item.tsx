import { Menu, Text } from '@mantine/core'
import { useId } from 'react'

type Props = { label: string; hint: string; onClick: () => void; closeMenuOnClick?: boolean }

/** A menu item with a line that says what it does. */
export function ExplainedItem({ label, hint, ...props }: Props) {
  const id = useId()
  return (
    <Menu.Item {...props} maw="17rem" aria-describedby={id}>
      {label}
      {/* For screen readers, this is the description of the item, and not a part of its name. */}
      <Text id={id} component="span" display="block" size="xs" c="dimmed" aria-hidden>
        {hint}
      </Text>
    </Menu.Item>
  )
}
