import { useState } from 'react'
import { graphql, useRelayEnvironment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type {
  useInviteMutation,
  useInviteMutation$data,
} from '../../../generated/console/useInviteMutation.graphql.ts'
import { copyText } from '../../page/copying.tsx'
import { forgetDirectory } from '../../people/directory.ts'
import { useAction } from '../../relay/use-action.ts'

export type Invitee = { email: string; name?: string; asNewPerson?: boolean }

/** What became of the invitation of an address. Without a problem, the link is null if the service mailed it. */
export type Outcome = NonNullable<useInviteMutation$data['inviteUsers']>['results'][number]

/** Invites people, and copies the links that the service does not mail. */
export function useInvite(onInvited: () => void) {
  const { workspaceID = '' } = useParams()
  const environment = useRelayEnvironment()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const [isCopied, setCopied] = useState(false)
  const action = useAction<useInviteMutation>(graphql`
    mutation useInviteMutation($input: InviteUsersInput!) {
      inviteUsers(input: $input) { results { email invitationURL problem { reason message } } }
    }
  `)
  const invite = (people: readonly Invitee[], onDone?: (outcomes: readonly Outcome[]) => void) => {
    setCopied(false)
    action.run({ input: { workspaceID, people } }, ({ inviteUsers }) => {
      const results = inviteUsers?.results ?? []
      const isNew = ({ email }: Outcome) => results.some((result) => result.email === email)
      setOutcomes((before) => [...before.filter((outcome) => !isNew(outcome)), ...results])
      const links = linksText(results)
      if (links !== '') copyText(links).then(setCopied)
      forgetDirectory(environment)
      onInvited()
      onDone?.(results)
    })
  }
  const { isRunning, problem } = action
  return { invite, outcomes, setOutcomes, isCopied, isRunning, problem }
}

/** Returns the link, or several links with their addresses, each on a line. */
export function linksText(outcomes: readonly Outcome[]): string {
  const made = outcomes.flatMap(({ email, invitationURL }) => (invitationURL ? { email, invitationURL } : []))
  const [only] = made
  if (only && made.length === 1) return only.invitationURL
  return made.map(({ email, invitationURL }) => `${email} ${invitationURL}`).join('\n')
}
