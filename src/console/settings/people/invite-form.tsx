import { Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Form } from '../../page/forms/form.tsx'
import { nameOfAddress } from './name-of-address.ts'
import { OutcomeList } from './outcome-list.tsx'
import { type Addressee, addressText, parseAddresses } from './parse-addresses.ts'
import { type Invitee, type Outcome, useInvite } from './use-invite.ts'

const longestName = 100

/** Invites people by email address. If the service cannot send email, the admin sends the links. */
export function InviteForm({ onInvited }: { onInvited: () => void }) {
  const [text, setText] = useState('')
  const { invite, outcomes, setOutcomes, ...action } = useInvite(onInvited)
  const people = parseAddresses(text)
  /** Leaves only the addresses that are still to be invited. */
  const keepOthers = (results: readonly Outcome[]) =>
    setText((now) => {
      const isInvited = ({ email }: Addressee) =>
        results.some((result) => result.email === email && !result.problem)
      const all = parseAddresses(now)
      return all.some(isInvited)
        ? all
            .filter((one) => !isInvited(one))
            .map(addressText)
            .join('\n')
        : now
    })
  const inviteAll = () => {
    setOutcomes([])
    invite(people.map(withName), keepOthers)
  }
  const inviteNew = (email: string) => invite([{ ...withName({ email }), asNewPerson: true }], keepOthers)
  return (
    <Stack>
      <Form
        action={people.length > 1 ? `Invite ${people.length} people` : 'Invite'}
        onSubmit={inviteAll}
        problem={action.problem}
        isRunning={action.isRunning}
        isDisabled={people.length === 0}
      >
        <Textarea
          label="Email addresses"
          description="Separated by commas, spaces or new lines. Names are optional: Ada Lovelace <ada@example.com>"
          autoComplete="off"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={20_000}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setOutcomes((before) => before.filter(({ problem }) => !problem))
          }}
        />
      </Form>
      <OutcomeList {...action} outcomes={outcomes} onInviteNew={inviteNew} />
    </Stack>
  )
}

function withName({ email, name }: Addressee): Invitee {
  const given = [...(name ?? nameOfAddress(email))].slice(0, longestName).join('')
  return { email, ...(given.trim() !== '' && { name: given }) }
}
