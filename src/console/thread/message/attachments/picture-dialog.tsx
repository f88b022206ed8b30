import { Modal } from '@mantine/core'
import { useFocusReturn } from '../../../page/dialogs/use-focus-return.ts'
import styles from './attachments.module.css'
import { FileDetails, type ShownFile } from './file-details.tsx'

type Props = ShownFile & { width: number; height: number; onClose: () => void }

/** Shows an image as large as the window allows, with its name and a link that downloads it. */
export default function PictureDialog({ onClose, ...file }: Props) {
  useFocusReturn()
  const { name, url, width, height } = file
  return (
    <Modal
      opened
      onClose={onClose}
      title={<bdi>{name}</bdi>}
      size="auto"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <img className={styles.large} src={url} alt={name} width={width} height={height} />
      <FileDetails {...file} />
    </Modal>
  )
}
