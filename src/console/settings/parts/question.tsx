import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { FormProblem } from './form-problem.tsx'

export type QuestionText = { title: string; text: string }

type Props = QuestionText & {
  action: string
  isDestructive: boolean
  isOpen: boolean
  isBusy: boolean
  problem: string | null
  onYes: () => void
  onClose: () => void
}

/** Asks before something is done. A failure is shown in the dialog. */
export function Question(props: Props) {
  return (
    <Modal.Root opened={props.isOpen} onClose={props.onClose}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <Stack>
            <Modal.Title fw={600}>{props.title}</Modal.Title>
            <Text>{props.text}</Text>
            <FormProblem text={props.problem} />
            <Group justify="end">
              <Button variant="default" onClick={props.onClose}>
                Cancel
              </Button>
              <Button
                {...(props.isDestructive && { color: 'red.9' })}
                loading={props.isBusy}
                onClick={props.onYes}
              >
                {props.action}
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
