import { Dialog } from '../../page/dialogs/dialog.tsx'
import { LoadingBoundary } from '../../page/loading-boundary.tsx'
import { ProblemBoundary } from '../../page/problems/problem-boundary.tsx'
import { NewThreadFrom } from './new-thread-from.tsx'

type Props = { messageID: string; onClose: () => void }

/** Starts a thread from a message. The new thread has the recipients of the thread that contains the message. */
export default function StartThread({ messageID, onClose }: Props) {
  return (
    <Dialog onClose={onClose} title="Reply in a new thread">
      <ProblemBoundary>
        <LoadingBoundary>
          <NewThreadFrom messageID={messageID} />
        </LoadingBoundary>
      </ProblemBoundary>
    </Dialog>
  )
}
