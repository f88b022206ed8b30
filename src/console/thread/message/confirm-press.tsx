import { Confirmation } from '../../page/dialogs/confirmation.tsx'

type Props = {
  button: { label: string; style: string; confirm: string | null | undefined }
  onConfirm: () => void
  onClose: () => void
}

export default function ConfirmPress({ button: { label, style, confirm }, onConfirm, onClose }: Props) {
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
