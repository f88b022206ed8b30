import { Confirmation } from '../../page/dialogs/confirmation.tsx'
import { useFocusReturn } from '../../page/dialogs/use-focus-return.ts'

type Props = {
  button: { label: string; style: string; confirm: string | null | undefined }
  onConfirm: () => void
  onClose: () => void
}

/** Asks the question of a button. It is open while it is rendered. */
export default function ConfirmPress({ button: { label, style, confirm }, onConfirm, onClose }: Props) {
  useFocusReturn()
  return (
    <Confirmation
      title={`${label}?`}
      text={confirm ?? ''}
      action={label}
      isDestructive={style === 'danger'}
      isOpen
      isRunning={false}
      problem={null}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}
