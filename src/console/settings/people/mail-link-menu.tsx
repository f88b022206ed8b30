import { Menu, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { mailLinkMenuMutation } from '../../../generated/console/mailLinkMenuMutation.graphql.ts'
import { Dialog } from '../../page/dialogs/dialog.tsx'
import { ProblemText } from '../../page/problems/problem.tsx'
import { PersonMenu } from '../../people/person-menu.tsx'
import { useAction } from '../../relay/use-action.ts'

type Props = { user: { id: string; name: string }; email: string; children: ReactNode }

/** The menu of a person who has joined. It has a sign-in link mailed to the person, for example if they forgot the password. */
export function MailLinkMenu({ user, email, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { run, isDone, problem } = useAction<mailLinkMenuMutation>(graphql`
    mutation mailLinkMenuMutation($input: MailSignInLinkInput!) { mailSignInLink(input: $input) { user { id } } }
  `)
  const mail = () => {
    setOpen(true)
    run({ input: { userID: user.id } })
  }
  const outcome = isDone
    ? `A link that signs in ${user.name} was sent to ${email}. It works once, within an hour.`
    : problem === null && 'Sending the link…'
  return (
    <>
      <PersonMenu user={user}>
        <Menu.Item onClick={mail}>Mail a sign-in link</Menu.Item>
        {children}
      </PersonMenu>
      {isOpen && (
        <Dialog title={`Sign-in link for ${user.name}`} onClose={() => setOpen(false)}>
          <Text size="sm" role="status">
            {outcome}
          </Text>
          <ProblemText problem={problem} />
        </Dialog>
      )}
    </>
  )
}
