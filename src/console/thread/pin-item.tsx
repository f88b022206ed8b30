import { ExplainedItem } from '../page/explained-item.tsx'
import { ProblemText } from '../page/problems/problem.tsx'
import { usePin } from './use-pin.ts'

type Props = { id: string; isPinned: boolean; onDone: () => void }

/** A menu item that pins a group or thread, or unpins it. `onDone` closes the menu. A failure leaves it open. */
export function PinItem({ id, isPinned, onDone }: Props) {
  const { setPinned, problem } = usePin(onDone)
  return (
    <>
      <ExplainedItem
        label={isPinned ? 'Unpin' : 'Pin for me'}
        hint={isPinned ? 'It leaves your pins.' : 'It is listed first in the sidebar, where only you see it.'}
        closeMenuOnClick={false}
        onClick={() => setPinned(id, !isPinned)}
      />
      <ProblemText problem={problem} />
    </>
  )
}
