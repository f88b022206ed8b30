import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../../page/dialogs/dialog.tsx'
import { ProblemText } from '../../page/problems/problem.tsx'
import { OutcomeList } from './outcome-list.tsx'
import { useInvite } from './use-invite.ts'

type Props = {
  user: { name: string }
  email: string
  onInvited: () => void
  /** Returns the control that creates the invitation. */
  children: (invite: () => void) => ReactNode
}

/** Creates a new invitation of a person, which replaces the earlier one, and shows the result in a dialog. */
export function NewLink({ user, email, onInvited, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { invite, outcomes, setOutcomes, isCopied, problem } = useInvite(onInvited)
  const start = () => {
    setOutcomes([])
    setOpen(true)
    invite([{ email }])
  }
  return (
    <>
      {children(start)}
      {isOpen && (
        <Dialog title={`Invite ${user.name} again`} onClose={() => setOpen(false)}>
          {outcomes.length === 0 && problem === null && <Text size="sm">Creating the invitation…</Text>}
          <OutcomeList outcomes={outcomes} isCopied={isCopied} />
          <ProblemText problem={problem} />
        </Dialog>
      )}
    </>
  )
}
