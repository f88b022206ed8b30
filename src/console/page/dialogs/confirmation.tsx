import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { ProblemText } from '../problems/problem.tsx'
import styles from './confirmation.module.css'
import { isRepeated } from './is-repeated.ts'

export type ConfirmationText = { title: string; text: string }

type Props = ConfirmationText & {
  action: string
  isDestructive: boolean
  isOpen: boolean
  isRunning: boolean
  problem: string | null
  onConfirm: () => void
  onClose: () => void
}

/** Stops Escape from also closing the panel or the dialog that is behind the confirmation. */
const ownEscape = { 'data-mantine-stop-propagation': true }

/** A dialog that asks for confirmation. If the action fails, it shows why. */
export function Confirmation(props: Props) {
  return (
    <Modal.Root opened={props.isOpen} onClose={props.onClose}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <Stack onKeyDown={({ key }) => key === 'Escape' && props.onClose()}>
            <Modal.Title fw={600} className={styles.text ?? ''}>
              {props.title}
            </Modal.Title>
            <Text className={styles.text ?? ''}>{props.text}</Text>
            <ProblemText problem={props.problem} />
            <Group justify="end">
              <Button variant="default" {...ownEscape} onClick={props.onClose}>
                Cancel
              </Button>
              <Button
                className={styles.action ?? ''}
                {...ownEscape}
                {...(props.isDestructive && { color: 'red.9' })}
                loading={props.isRunning}
                // Ignores a press until the closed dialog has left the page.
                onClick={(event) => props.isOpen && !isRepeated(event) && props.onConfirm()}
              >
                <span className={styles.name}>{props.action}</span>
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
