import { Kbd, Table } from '@mantine/core'
import { Dialog } from '../page/dialogs/dialog.tsx'
import { otherShortcuts, shortcuts } from './shortcut-list.ts'

export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      <Table withRowBorders={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Keys</Table.Th>
            <Table.Th>What they do</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...shortcuts, ...otherShortcuts].map(({ keys, label }) => (
            <Table.Tr key={keys}>
              <Table.Td miw="8rem">
                <Keys keys={keys} />
              </Table.Td>
              <Table.Td>{label}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  )
}

/** One key, or two keys to press together or one after the other. */
function Keys({ keys }: { keys: string }) {
  const [first, second] = keys.split(' ')
  return (
    <>
      <Kbd>{first}</Kbd> {second && <Kbd>{second}</Kbd>}
    </>
  )
}
